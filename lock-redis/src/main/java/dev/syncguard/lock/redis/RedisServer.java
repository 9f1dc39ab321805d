package dev.syncguard.lock.redis;

import dev.syncguard.lock.BackendClosedException;
import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.spi.CallInFlight;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import redis.clients.jedis.Connection;
import redis.clients.jedis.Pipeline;
import redis.clients.jedis.Response;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisMovedDataException;
import redis.clients.jedis.exceptions.JedisNoScriptException;

/** The server that keeps the locks, one round trip per call. Thread-safe. */
final class RedisServer {

  private final UnifiedJedis client;
  private final Optional<Connections> connections;
  private final boolean cluster;
  private final RedisErrors errors;
  private volatile boolean closed;

  /**
   * What a script answered, and how many replicas had it when we asked.
   *
   * @param reply the answer
   * @param replicas how many replicas had confirmed it in time
   */
  record Confirmed(Object reply, long replicas) {}

  RedisServer(UnifiedJedis client, RedisKeys keys) {
    this.client = client;
    this.connections = Connections.of(client, keys);
    this.cluster = Connections.isCluster(client);
    this.errors = new RedisErrors(keys);
    if (cluster && !keys.shareOneSlot()) {
      throw keys.spreadOverSlots();
    }
  }

  /** Runs a script. A server that does not know it yet has not run it, so it can be sent in full. */
  Object run(Script script, List<String> keys, List<String> args) {
    return call(() -> {
      try {
        return client.evalsha(script.sha(), keys, args);
      } catch (JedisNoScriptException e) {
        return client.eval(script.text(), keys, args);
      }
    });
  }

  /** Runs a script until it is cancelled; it may then happen all the same. */
  Object run(Script script, List<String> keys, List<String> args, Cancellation cancellation) {
    if (connections.isEmpty() || (cluster && cancellation == Cancellation.none())) {
      return run(script, keys, args);
    }
    if (cluster) {
      return runOnCluster(script, keys, args, cancellation);
    }
    return onConnection(script, keys, args, cancellation, (connection, sending) -> {
      Pipeline pipeline = new Pipeline(connection, false);
      Response<Object> reply = sending.on(pipeline);
      sync(pipeline, connection, cancellation);
      return reply.get();
    });
  }

  /**
   * Lets a thread of its own run the script. Only the client knows which connection is the right one, and keeps it to itself, so
   * it cannot be broken off; but we need not wait for it.
   */
  private Object runOnCluster(
      Script script, List<String> keys, List<String> args, Cancellation cancellation) {
    try {
      return CallInFlight.open(cancellation, () -> run(script, keys, args), tooLate -> {});
    } catch (CancellationException e) {
      throw new LockException(
          LockException.Code.ABORTED, "Cancelled while it waited for the store to answer");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LockException(
          LockException.Code.ABORTED,
          "The thread was interrupted while it waited for the store to answer");
    } catch (ExecutionException e) {
      throw e.getCause() instanceof LockException known
          ? known
          : new LockException(
              LockException.Code.INTERNAL, "The client failed in an unknown way", e.getCause());
    }
  }

  /** Runs a script and asks on the same connection, in the same round trip, how far its writes have got. */
  Confirmed runConfirmed(
      Script script,
      List<String> keys,
      List<String> args,
      ReplicaAcks acks,
      Cancellation cancellation) {
    return onConnection(script, keys, args, cancellation, (connection, sending) -> {
      int within = (int) acks.within().toMillis();
      int timeout = connection.getSoTimeout();
      // The server is silent while it waits for the replicas; that is no reason to give up earlier.
      connection.setSoTimeout(timeout == 0 ? 0 : timeout + within);
      Pipeline pipeline = new Pipeline(connection, false);
      Response<Object> reply = sending.on(pipeline);
      Response<Long> replicas = pipeline.waitReplicas(acks.replicas(), within);
      sync(pipeline, connection, cancellation);
      connection.setSoTimeout(timeout);
      return new Confirmed(reply.get(), replicas.get());
    });
  }

  private interface Sending {
    Response<Object> on(Pipeline pipeline);
  }

  private interface Exchange<T> {
    T on(Connection connection, Sending sending);
  }

  private <T> T onConnection(
      Script script,
      List<String> keys,
      List<String> args,
      Cancellation cancellation,
      Exchange<T> exchange) {
    Connections ours = connections.orElseThrow();
    return call(() -> {
      try {
        return onBorrowed(ours, script, keys, args, cancellation, exchange);
      } catch (JedisMovedDataException e) {
        // Another node has our keys, and this one has done nothing.
        ours.findOurs(cancellation);
        cancellation.throwIfCancelled();
        return onBorrowed(ours, script, keys, args, cancellation, exchange);
      } catch (JedisException e) {
        cancellation.throwIfCancelled();
        if (cluster && e instanceof JedisConnectionException) {
          ours.findOurs(
              cancellation); // This node may have a successor; the next attempt is for that.
        }
        throw e;
      }
    });
  }

  private static <T> T onBorrowed(
      Connections ours,
      Script script,
      List<String> keys,
      List<String> args,
      Cancellation cancellation,
      Exchange<T> exchange) {
    Connection connection = ours.borrow(cancellation);
    try {
      return exchange.on(connection, pipeline -> pipeline.evalsha(script.sha(), keys, args));
    } catch (JedisNoScriptException e) {
      // The connection may have been cut right after this answer.
      cancellation.throwIfCancelled();
      return exchange.on(connection, pipeline -> pipeline.eval(script.text(), keys, args));
    } finally {
      ours.giveBack(connection);
    }
  }

  /**
   * Sends what is in the pipeline and reads the answers. A connection is cut only in here: the driver opens a cut one anew, but
   * without logging in and in database 0, as soon as a command is put into its pipeline.
   */
  private static void sync(Pipeline pipeline, Connection connection, Cancellation cancellation) {
    try (CallInFlight call = CallInFlight.begin(cancellation, () -> Connections.cut(connection))) {
      pipeline.sync();
    }
  }

  /** Does something else with the client. */
  <T> T call(Supplier<T> work) {
    if (closed) {
      throw new BackendClosedException();
    }
    try {
      return work.get();
    } catch (JedisException e) {
      throw errors.translate(e);
    }
  }

  /** Refuses everything from now on. */
  void close() {
    closed = true;
  }

  UnifiedJedis client() {
    return client;
  }

  Optional<Connections> connections() {
    return connections;
  }

  /** Returns whether a publication tells how many listen to it; on a cluster they may listen at another node. */
  boolean knowsItsListeners() {
    return !cluster;
  }

  /** Fails if confirmations are wanted that this client cannot be asked for. */
  void requireConnections() {
    if (connections.isEmpty()) {
      throw LockException.invalidArgument(
          "Replicas can only be waited for over a client that has a pool:"
              + " standalone, Sentinel or Cluster");
    }
  }
}
