package dev.syncguard.sync.engine;

import dev.syncguard.sync.Clocks;
import dev.syncguard.sync.MutualExclusion;
import dev.syncguard.sync.Random;
import dev.syncguard.sync.local.TabKeys;
import dev.syncguard.sync.text.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Lets one tab at a time make a secret: by the environment's own exclusion, else by a token in the shared store, else not
 * at all, because the secret is verified anyway.
 */
final class BootstrapLock {

  private static final long TTL_MILLIS = 10_000;

  private final MutualExclusion exclusion;
  private final TabKeys tabs;
  private final Clocks clocks;
  private final Random random;

  BootstrapLock(MutualExclusion exclusion, TabKeys tabs, Clocks clocks, Random random) {
    this.exclusion = exclusion;
    this.tabs = tabs;
    this.clocks = clocks;
    this.random = random;
  }

  /** Tries to enter; tells {@link MutualExclusion.Outcome#entered} or {@link MutualExclusion.Outcome#busy}. */
  void tryEnter(MutualExclusion.Outcome outcome) {
    MutualExclusion.Outcome orToken = new MutualExclusion.Outcome() {
      @Override
      public void entered(Runnable leave) {
        outcome.entered(leave);
      }

      @Override
      public void busy() {
        outcome.busy();
      }

      @Override
      public void unavailable() {
        tryToken(outcome);
      }
    };
    try {
      exclusion.tryEnter(tabs.lock, orToken);
    } catch (RuntimeException broken) {
      tryToken(outcome);
    }
  }

  private void tryToken(MutualExclusion.Outcome outcome) {
    long now = clocks.wallMillis();
    String holder = holder(now);
    if (holder != null) {
      outcome.busy();
      return;
    }
    String token = random.uuid();
    Map<String, Object> lock = new LinkedHashMap<>();
    lock.put("token", token);
    lock.put("expiresAtMs", now + TTL_MILLIS);
    if (tabs.set(tabs.lock, Json.write(lock)) || holder(now) == null) {
      // Written and read back, or there is nothing to write to.
      outcome.entered(() -> {
        if (token.equals(holder(Long.MIN_VALUE))) {
          tabs.remove(tabs.lock);
        }
      });
    } else {
      outcome.busy();
    }
  }

  /** Returns the token that holds the lock at {@code now}, or null if it is free. */
  private @Nullable String holder(long now) {
    String text = tabs.get(tabs.lock);
    Map<String, Object> lock = text == null ? null : Json.parseObject(text);
    if (lock == null || !(lock.get("token") instanceof String token)) {
      return null;
    }
    Long expires = Json.whole(lock.get("expiresAtMs"));
    return expires != null && expires > now ? token : null;
  }
}
