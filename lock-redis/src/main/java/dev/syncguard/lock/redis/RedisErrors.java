package dev.syncguard.lock.redis;

import dev.syncguard.lock.BackendClosedException;
import dev.syncguard.lock.Fence;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockException.Code;
import java.net.SocketTimeoutException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisClusterException;
import redis.clients.jedis.exceptions.JedisClusterOperationException;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisRedirectionException;

/**
 * Turns what the driver throws into what a caller can act on. Nothing else reads a reply code.
 *
 * <p>The code is the first word of an error reply, as the protocol defines it; the words behind it are for people and
 * never travel on, because a server may repeat there what we sent.
 */
final class RedisErrors {

  // What the server tells by words only, behind the code ERR that stands for anything.
  private static final String TOO_MANY_CLIENTS = "ERR max number of clients reached";
  private static final List<String> NO_SUCH_DATABASE =
      List.of("ERR DB index is out of range", "ERR SELECT is not allowed in cluster mode");
  private static final String NO_REPLICAS_OF_ITS_OWN = "ERR WAIT cannot be used with replica";
  private static final String NO_PASSWORD_SET = "ERR AUTH <password> called without any password";
  private static final List<String> FORBIDDEN_INSIDE_A_SCRIPT = List.of(
      "ERR ACL failure in script",
      "ERR The user executing the script can't ",
      "The user executing the script can't ");

  /** What Redis 6 puts in front of the error of a command inside of a script; Redis 7 passes it on as it is. */
  private static final Pattern WRAPPING = Pattern.compile(
      "^(?:ERR Error running script \\(call to f_\\w+\\): )?(?:@user_script: ?\\d+: )+-?");

  private final RedisKeys keys;

  RedisErrors(RedisKeys keys) {
    this.keys = keys;
  }

  LockException translate(JedisException e) {
    if (hasCause(e, InterruptedException.class)) {
      Thread.currentThread().interrupt();
      return new LockException(
          Code.ABORTED, "The thread was interrupted while it waited for a connection");
    }
    LockException known = find(e, LockException.class);
    if (known != null) {
      return known;
    }
    JedisDataException reply = find(e, JedisDataException.class);
    if (reply != null) {
      return fromReply(reply);
    }
    if (hasCause(e, CertificateException.class) || hasCause(e, CertPathValidatorException.class)) {
      return new LockException(
          Code.AUTH_FAILED,
          "The certificate of the Redis server is not trusted here, or is for another host name;"
              + " give the JVM a trust store that knows its authority"
              + " (-Djavax.net.ssl.trustStore), and use the name that the certificate is for",
          e);
    }
    if (isNoRedis(e)) {
      return new LockException(
          Code.INVALID_ARGUMENT,
          "What answers on this port does not speak the Redis protocol; check host and port");
    }
    if (hasCause(e, SocketTimeoutException.class)) {
      return new LockException(
          Code.NETWORK_TIMEOUT,
          "The Redis server did not answer in time; what was asked for may have happened",
          e);
    }
    if (hasCause(e, NoSuchElementException.class)) {
      return unavailable("All connections to the Redis server stayed busy; allow more of them, or"
          + " fewer threads");
    }
    if (find(e, JedisConnectionException.class) != null) {
      return new LockException(
          Code.SERVICE_UNAVAILABLE,
          "The Redis server could not be reached, or the connection broke; what was asked for may"
              + " have happened",
          e);
    }
    if (e instanceof JedisClusterOperationException) {
      return unavailable("No node of the Redis Cluster could do it; try again");
    }
    if (hasCause(e, IllegalStateException.class)) {
      return new BackendClosedException();
    }
    return new LockException(
        Code.INTERNAL,
        "The Redis client failed in an unexpected way (" + e.getClass().getSimpleName() + ")",
        e);
  }

  /** Tells bytes that are no reply, such as those of a web server; the driver says so in words only. */
  private static boolean isNoRedis(JedisException e) {
    JedisConnectionException failure = find(e, JedisConnectionException.class);
    for (Throwable at = failure; at != null; at = at.getCause()) {
      if (at instanceof JedisConnectionException
          && String.valueOf(at.getMessage()).startsWith("Unknown reply: ")) {
        return true;
      }
    }
    return false;
  }

  /** Says that a connection still owed somebody an answer, which then came to us. */
  static LockException outOfStep() {
    return new LockException(
        Code.INTERNAL,
        "The connection to the Redis server gave the answer to another question; close the client"
            + " and open a new one, and use its connections for nothing that leaves answers unread");
  }

  private LockException fromReply(JedisDataException e) {
    if (e instanceof JedisRedirectionException) {
      return unavailable("The Redis Cluster is moving our keys; try again. If this goes on, connect"
          + " with a cluster client");
    }
    if (e instanceof JedisClusterException) {
      return unavailable("The Redis Cluster is down; try again");
    }
    String message = WRAPPING.matcher(String.valueOf(e.getMessage())).replaceFirst("");
    if (message.equals(TOO_MANY_CLIENTS)) {
      return new LockException(
          Code.RATE_LIMITED,
          "The Redis server has as many clients as it allows; raise maxclients or use fewer"
              + " connections");
    }
    if (NO_SUCH_DATABASE.stream().anyMatch(message::startsWith)) {
      return LockException.invalidArgument("The Redis server has no database of this number;"
          + " leave it out of the URL, or raise the server's setting databases");
    }
    if (message.startsWith(NO_PASSWORD_SET)) {
      return new LockException(
          Code.AUTH_FAILED,
          "The Redis server knows no password for its default user; leave the password out, or"
              + " name the user that it belongs to");
    }
    if (message.startsWith(NO_REPLICAS_OF_ITS_OWN)) {
      return demoted();
    }
    String code =
        FORBIDDEN_INSIDE_A_SCRIPT.stream().anyMatch(message::startsWith) ? "NOPERM" : code(message);
    return switch (code) {
      case "SGDAMAGED" ->
        new LockException(
            Code.INTERNAL,
            "A Redis key of ours holds something that SyncGuard did not write; nothing was"
                + " changed. Find out who shares the key prefix, then remove the value. A fence"
                + " counter must never be set back");
      case "SGFENCE" ->
        new LockException(
            Code.INTERNAL,
            "The fence counter of this key is used up (" + Fence.MAX
                + "); continue under a new key");
      case "SGID" ->
        LockException.invalidArgument(
            "This lock id already belongs to a lease on another key; make a new id for each lease");
      case "LOADING", "MASTERDOWN", "CLUSTERDOWN", "TRYAGAIN", "BUSY", "UNKILLABLE", "NOREPLICAS" ->
        unavailable("The Redis server is not ready (" + code + "); try again");
      case "READONLY" ->
        unavailable("This Redis server is a replica and takes no writes; connect to the primary,"
            + " through Sentinel if it may change");
      case "UNBLOCKED" -> demoted();
      case "MISCONF" ->
        unavailable(
            "The Redis server cannot write to its disk and takes no writes; free some" + " space");
      case "OOM" ->
        unavailable("The Redis server has no memory left, so it takes no new locks; raise"
            + " maxmemory, but keep the eviction policy at noeviction");
      case "NOAUTH", "WRONGPASS", "NOPERM" ->
        new LockException(
            Code.AUTH_FAILED,
            "The Redis server refused us (" + code
                + "); check user, password and the permissions of that user");
      case "CROSSSLOT" -> keys.spreadOverSlots();
      default ->
        new LockException(
            Code.INTERNAL, "The Redis server gave an unexpected answer (" + code + ")");
    };
  }

  /** While we waited for its replicas to confirm, or just before, it became one itself. */
  private static LockException demoted() {
    return unavailable("This Redis server was made a replica before others confirmed what was asked"
        + " for, which may be lost; try again");
  }

  private static String code(String message) {
    int end = message.indexOf(' ');
    String word = end < 0 ? message : message.substring(0, end);
    return word.chars().allMatch(c -> c >= 'A' && c <= 'Z') ? word : "no code";
  }

  private static LockException unavailable(String message) {
    return new LockException(Code.SERVICE_UNAVAILABLE, message);
  }

  private static boolean hasCause(Throwable e, Class<? extends Throwable> type) {
    return find(e, type) != null;
  }

  private static <T extends Throwable> @Nullable T find(Throwable e, Class<T> type) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (type.isInstance(cause)) {
        return type.cast(cause);
      }
    }
    return null;
  }
}
