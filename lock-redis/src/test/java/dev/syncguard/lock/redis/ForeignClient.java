package dev.syncguard.lock.redis;

import dev.syncguard.lock.LockId;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import redis.clients.jedis.Jedis;

/**
 * A client that behaves towards the server as the TypeScript library does, and knows nothing of our waiting line.
 *
 * <p>Its scripts were written from the description of the wire format, with the habits that matter to others: records live
 * exactly as long as their ttl, and a dead record is overwritten.
 */
final class ForeignClient {

  private static final String TOLERANCE = "1000";
  private static final String PREFIX = "syncguard";

  private final Jedis jedis;

  ForeignClient(Jedis jedis) {
    this.jedis = jedis;
  }

  /** Returns the fence of the lock that it took, or nothing if it was refused. */
  String acquire(String key, LockId id, long ttlMillis) {
    String lock = PREFIX + ":" + key;
    Object reply = run(
        "acquire",
        List.of(lock, index(id), PREFIX + ":fence:" + lock),
        List.of(id.value(), Long.toString(ttlMillis), TOLERANCE, lock, key));
    return reply instanceof List<?> grant ? (String) grant.get(1) : "";
  }

  long release(LockId id) {
    return (Long) run("release", List.of(index(id)), List.of(id.value(), TOLERANCE));
  }

  boolean extend(LockId id, long ttlMillis) {
    return run(
            "extend", List.of(index(id)), List.of(id.value(), TOLERANCE, Long.toString(ttlMillis)))
        instanceof List<?>;
  }

  boolean isLocked(String key, boolean clean) {
    return Long.valueOf(1)
        .equals(run(
            "isLocked",
            List.of(PREFIX + ":" + key),
            List.of(PREFIX, TOLERANCE, Boolean.toString(clean))));
  }

  private static String index(LockId id) {
    return PREFIX + ":id:" + id.value();
  }

  private Object run(String script, List<String> keys, List<String> args) {
    try (InputStream in = ForeignClient.class.getResourceAsStream("foreign/" + script + ".lua")) {
      return jedis.eval(new String(in.readAllBytes(), StandardCharsets.UTF_8), keys, args);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
