package dev.syncguard.lock.redis;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.spi.CallInFlight;
import java.io.IOException;
import java.lang.reflect.Field;
import java.net.Socket;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Connection;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.providers.ClusterConnectionProvider;
import redis.clients.jedis.providers.ConnectionProvider;
import redis.clients.jedis.providers.PooledConnectionProvider;
import redis.clients.jedis.providers.SentineledConnectionProvider;
import redis.clients.jedis.util.JedisClusterCRC16;
import redis.clients.jedis.util.Pool;

/**
 * Single connections to the server that keeps our keys, for what must happen on one and the same.
 *
 * <p>The classes of clients differ between the major versions of the driver, what they are made of does not: so this reads
 * the field in which every client keeps its connections.
 */
final class Connections {

  private final Supplier<Connection> pooled;
  private final Supplier<Pool<Connection>> pool;
  private final Runnable findOurs;
  private final AtomicReference<@Nullable Turnstile> turnstile = new AtomicReference<>();

  private Connections(
      Supplier<Connection> pooled, Supplier<Pool<Connection>> pool, Runnable findOurs) {
    this.pooled = pooled;
    this.pool = pool;
    this.findOurs = findOurs;
  }

  /** Returns the connections of a client, unless it is of a kind that keeps them to itself. */
  static Optional<Connections> of(UnifiedJedis client, RedisKeys keys) {
    ConnectionProvider provider = providerOf(client);
    if (provider instanceof PooledConnectionProvider standalone) {
      return Optional.of(new Connections(standalone::getConnection, standalone::getPool, () -> {}));
    }
    if (provider instanceof SentineledConnectionProvider sentinel) {
      return Optional.of(
          new Connections(sentinel::getConnection, () -> poolOf(sentinel), () -> {}));
    }
    if (provider instanceof ClusterConnectionProvider cluster) {
      int slot = JedisClusterCRC16.getSlot(keys.inNamespace("any"));
      return Optional.of(new Connections(
          () -> cluster.getConnectionFromSlot(slot),
          () -> poolOf(cluster, slot),
          cluster::renewSlotCache));
    }
    return Optional.empty();
  }

  static boolean isCluster(UnifiedJedis client) {
    return providerOf(client) instanceof ClusterConnectionProvider;
  }

  /** Returns a connection of the client's pool. Closing it gives it back. */
  Connection borrow() {
    return pooled.get();
  }

  /**
   * Returns a connection of the client's pool, which {@link #giveBack} must follow. Cancelling ends the waiting for one that has to be
   * opened, or for one that is in use: a pool may wait for it without end.
   */
  Connection borrow(Cancellation cancellation) {
    Turnstile line = turnstile();
    boolean lent = false;
    boolean entered = false;
    try {
      entered = line.enter(pool.get().getMaxWaitDuration(), cancellation);
      if (!entered) {
        throw new JedisException(new NoSuchElementException("No connection became free in time"));
      }
      Connection connection = cancellation == Cancellation.none() || pool.get().getNumIdle() > 0
          ? borrow()
          : CallInFlight.open(cancellation, this::borrow, Connections::closeQuietly);
      lent = true;
      return connection;
    } catch (CancellationException e) {
      throw new JedisConnectionException("Cancelled while it waited for a connection");
    } catch (InterruptedException e) {
      throw new JedisConnectionException("Interrupted while it waited for a connection", e);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof JedisException failure
          ? failure
          : new JedisConnectionException("No connection could be opened", e.getCause());
    } finally {
      if (entered && !lent) {
        line.leave();
      }
    }
  }

  /** Returns what keeps more threads from asking the pool than it has connections, since each of them takes another thread. */
  private Turnstile turnstile() {
    Turnstile known = turnstile.get();
    if (known == null) {
      int most = pool.get().getMaxTotal();
      Turnstile made = new Turnstile(most < 0 ? Integer.MAX_VALUE : most);
      known = turnstile.compareAndSet(null, made) ? made : turnstile();
    }
    return known;
  }

  /**
   * Finds out anew which node of a cluster has our keys. The client does so by itself only for commands that it sends, not for
   * those that we send on a borrowed connection. Whoever cannot be asked now is asked the next time.
   */
  void findOurs(Cancellation cancellation) {
    try {
      CallInFlight.open(
          cancellation,
          () -> {
            findOurs.run();
            return true;
          },
          tooLate -> {});
    } catch (CancellationException | ExecutionException e) {
      // What led here is told to the caller.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Breaks a connection for good, in whatever thread. The driver's own way would first send what is left to send. */
  static void cut(Connection connection) {
    connection.setBroken();
    if (read(Connection.class, "socket", connection) instanceof Socket socket) {
      try {
        socket.close();
      } catch (IOException e) {
        // It is of no use any more either way.
      }
    }
  }

  /** Gives a borrowed connection back. The pool replaces a broken one at once, which may take as long as connecting. */
  void giveBack(Connection connection) {
    if (connection.isBroken()) {
      Thread replacing = new Thread(() -> replace(connection), "syncguard-redis-replace");
      replacing.setDaemon(true);
      replacing.start();
    } else {
      try {
        connection.close();
      } finally {
        turnstile().leave();
      }
    }
  }

  private void replace(Connection connection) {
    try {
      closeQuietly(connection);
    } finally {
      turnstile().leave();
    }
  }

  private static void closeQuietly(Connection connection) {
    try {
      connection.close();
    } catch (JedisException e) {
      // The pool could not replace it; the next to borrow will be told why.
    }
  }

  /** Returns a new connection that belongs to no pool, so that keeping it takes nothing away from anybody. */
  Connection open() {
    try {
      return pool.get().getFactory().makeObject().getObject();
    } catch (JedisException e) {
      throw e;
    } catch (Exception e) {
      throw new JedisConnectionException("No connection could be opened", e);
    }
  }

  private static @Nullable ConnectionProvider providerOf(UnifiedJedis client) {
    return (ConnectionProvider) read(UnifiedJedis.class, "provider", client);
  }

  @SuppressWarnings("unchecked") // The field is a pool of connections in every version.
  private static Pool<Connection> poolOf(SentineledConnectionProvider sentinel) {
    return present((Pool<Connection>) read(SentineledConnectionProvider.class, "pool", sentinel));
  }

  private static Pool<Connection> poolOf(ClusterConnectionProvider cluster, int slot) {
    return present(cluster.getNodes().get(String.valueOf(cluster.getNode(slot))));
  }

  private static Pool<Connection> present(@Nullable Pool<Connection> pool) {
    if (pool == null) {
      throw new JedisConnectionException("There is no primary right now");
    }
    return pool;
  }

  private static @Nullable Object read(Class<?> type, String field, Object from) {
    try {
      Field found = type.getDeclaredField(field);
      found.setAccessible(true);
      return found.get(from);
    } catch (ReflectiveOperationException | RuntimeException e) {
      return null;
    }
  }
}
