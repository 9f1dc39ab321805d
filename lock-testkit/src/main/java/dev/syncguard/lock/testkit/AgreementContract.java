package dev.syncguard.lock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockInfoDebug;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.memory.ManualTime;
import dev.syncguard.lock.memory.MemoryLockBackend;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.spi.LockQuery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * The same calls get the same answers on every backend: random calls are put to this one and to the memory backend.
 *
 * <p>Set {@code syncguard.agreement.seed} to repeat a failed run, and {@code syncguard.agreement.traces} for a longer
 * one.
 */
public abstract class AgreementContract extends Contract {

  private static final int STEPS = 50;
  private static final int MOST_ENDINGS_ON_A_REAL_CLOCK = 4;

  private final ManualTime modelTime = ManualTime.stopped();
  private final LockBackend model = new MemoryLockBackend(modelTime);
  private final List<String> calls = new ArrayList<>();
  private int endings;

  private boolean clockIsOurs() {
    return fixture() instanceof LockFixture.SettableClock;
  }

  @Test
  void randomCallsAreAnsweredAsByTheMemoryBackend() {
    long seed = Long.getLong("syncguard.agreement.seed", System.nanoTime());
    int traces = Integer.getInteger("syncguard.agreement.traces", clockIsOurs() ? 100 : 40);
    for (int trace = 0; trace < traces; trace++) {
      calls.clear();
      try {
        new Trace(trace, new SplittableRandom(seed + trace)).play();
      } catch (AssertionError e) {
        throw new AssertionError(
            "Repeat with -Dsyncguard.agreement.seed=" + (seed + trace)
                + " -Dsyncguard.agreement.traces=1: after " + calls + " " + e.getMessage(),
            e);
      }
    }
  }

  private final class Trace {
    private final SplittableRandom random;
    private final List<LockKey> keys;
    private final List<LockId> ids = new ArrayList<>();

    /** Each id is for one key only: the first for the first key, the second for the second, and so on. */
    private final List<LockKey> keyOfId = new ArrayList<>();

    Trace(int number, SplittableRandom random) {
      this.random = random;
      this.keys = List.of(key("a " + number), key("b " + number));
      for (int i = 0; i < 6; i++) {
        ids.add(newId());
        keyOfId.add(keys.get(i % keys.size()));
      }
    }

    void play() {
      for (int step = 0; step < STEPS; step++) {
        int which = random.nextInt(ids.size());
        LockId id = ids.get(which);
        LockKey key = keyOfId.get(which);
        String name = key.value().charAt(0) + String.valueOf(which);
        switch (random.nextInt(12)) {
          case 0, 1, 2, 3 -> agree("acquire " + name, on -> on.acquire(key, id, LONG, NEVER));
          case 4, 5 -> agree("release " + name, on -> on.release(id, NEVER));
          case 6, 7 -> agree("extend " + name, on -> on.extend(id, LONG, NEVER));
          case 8 -> agree("isLocked " + name, on -> on.isLocked(key, NEVER));
          case 9 -> agree("byKey " + name, on -> on.lookupRaw(new LockQuery.ByKey(key), NEVER));
          case 10 -> agree("byId " + name, on -> on.lookupRaw(new LockQuery.ById(id), NEVER));
          default -> letEnd(name, id);
        }
      }
    }

    private void letEnd(String name, LockId id) {
      if (!clockIsOurs() && endings++ >= MOST_ENDINGS_ON_A_REAL_CLOCK) {
        return;
      }
      agree("shorten " + name, on -> on.extend(id, SHORT, NEVER));
      Duration enough = SHORT.duration().plusMillis(1_020);
      pass(enough);
      modelTime.advance(enough);
      calls.add("wait");
    }
  }

  private interface Call {
    Object on(LockBackend backend);
  }

  private void agree(String name, Call call) {
    calls.add(name);
    assertThat(withoutTimes(call.on(backend))).isEqualTo(withoutTimes(call.on(model)));
  }

  /** Times differ between two clocks, and why a lease is absent is for telemetry, as far as a store can tell. */
  private static String withoutTimes(Object answer) {
    if (answer instanceof AcquireResult.Acquired acquired) {
      return "Acquired " + acquired.fence();
    }
    if (answer instanceof Optional<?> found) {
      return found
          .map(lock -> (LockInfoDebug) lock)
          .map(lock -> lock.key().hash() + " " + lock.lockId().hash() + " " + lock.fence())
          .orElse("nothing");
    }
    return answer instanceof Boolean ? answer.toString() : answer.getClass().getSimpleName();
  }
}
