package dev.syncguard.fence;

import dev.syncguard.lock.Fence;
import dev.syncguard.lock.Lease;
import java.time.Duration;
import java.util.List;

/**
 * Refuses late holders in the script that writes a value to Redis.
 *
 * <p>The highest fence is kept in a key beside the value, in the same hash slot, and must live as long as the value can be
 * written: let it neither expire nor be evicted. Any client will do, {@code RedisFenceGuard.over(jedis::eval)}; its
 * exceptions pass through. Readers need nothing but {@code GET}. Thread-safe if the client is.
 */
public final class RedisFenceGuard {

  // Lua takes much for a number, NaN included, which no fence is lower than. So only what a guard
  // wrote counts. With 15 digits
  // numbers compare exactly.
  private static final String CHECK = """
      local seen = redis.call('GET', KEYS[2])
      if seen and (#seen ~= 15 or string.find(seen, '%D')) then
        return redis.error_reply('ERR this fence was not written by a guard; nothing was changed, find out who else writes it')
      end
      if seen and tonumber(seen) > tonumber(ARGV[1]) then return 0 end
      redis.call('SET', KEYS[2], ARGV[1])
      """;
  private static final String WRITE = CHECK + "redis.call('SET', KEYS[1], ARGV[2]) return 1";
  private static final String DELETE = CHECK + "redis.call('DEL', KEYS[1]) return 1";

  private static final Long STALE = 0L;
  private static final Long PASSED = 1L;

  private static final String TAGGED_FENCE = ":fence";
  private static final String PLAIN_FENCE = "fence:{";

  private final ScriptRunner redis;

  private RedisFenceGuard(ScriptRunner redis) {
    this.redis = redis;
  }

  /** Returns a guard that runs its scripts by a client such as {@code jedis::eval}. */
  public static RedisFenceGuard over(ScriptRunner redis) {
    return new RedisFenceGuard(redis);
  }

  /** Sets the value under the fence of the lease; a lease that is lost is refused without asking Redis. */
  public void write(Lease lease, String key, String value) {
    lease.ensureHeld(Duration.ZERO);
    write(lease.fence(), key, value);
  }

  /** Sets the value, or throws {@link StaleFenceException} and changes nothing. */
  public void write(Fence fence, String key, String value) {
    run(WRITE, key, fence, List.of(fence.text(), value));
  }

  /** Deletes the value, but not its fence; a lease that is lost is refused without asking Redis. */
  public void delete(Lease lease, String key) {
    lease.ensureHeld(Duration.ZERO);
    delete(lease.fence(), key);
  }

  /** Deletes the value, but not its fence, or throws {@link StaleFenceException} and changes nothing. */
  public void delete(Fence fence, String key) {
    run(DELETE, key, fence, List.of(fence.text()));
  }

  private void run(String script, String key, Fence fence, List<String> arguments) {
    Object reply = redis.eval(script, List.of(key, fenceKey(key)), arguments);
    if (STALE.equals(reply)) {
      throw new StaleFenceException(fence);
    }
    if (!PASSED.equals(reply)) {
      throw new IllegalStateException("The Redis client must return the integer that a script"
          + " answers with as a Long; the value may have been written");
    }
  }

  /** Returns the key that keeps the highest fence of another key, in the hash slot of that one. */
  public static String fenceKey(String key) {
    int open = key.indexOf('{');
    if (open >= 0 && key.indexOf('}', open) > open + 1) {
      if (key.endsWith(TAGGED_FENCE) || (key.startsWith(PLAIN_FENCE) && key.endsWith("}"))) {
        throw new IllegalArgumentException("This Redis key may be the fence of another one; a"
            + " guarded key must neither be fence:{...} nor have a hash tag and end in :fence");
      }
      return key + TAGGED_FENCE;
    }
    if (key.isEmpty() || key.indexOf('}') >= 0) {
      throw new IllegalArgumentException("A guarded Redis key must not be empty, and one with a"
          + " closing brace needs a hash tag, as in {order}:7, so that its fence gets into the"
          + " same slot of a cluster");
    }
    return PLAIN_FENCE + key + "}";
  }

  /** How a client of Redis runs a script; integers come back as {@code Long}. */
  @FunctionalInterface
  public interface ScriptRunner {
    /** Runs a script with {@code EVAL} and returns what it answered. */
    Object eval(String script, List<String> keys, List<String> arguments);
  }
}
