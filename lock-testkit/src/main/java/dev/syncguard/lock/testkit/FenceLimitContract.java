package dev.syncguard.lock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Fence;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.spi.FenceWarning;
import dev.syncguard.lock.spi.LockQuery;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Fences run out loudly: a warning long before the end, and at the end a refusal that leaves no lock behind. */
public abstract class FenceLimitContract extends Contract {

  @Test
  void theLastFenceIsStillHandedOut() {
    fixture().presetFence(key("report"), Fence.MAX - 1);
    assertThat(take("report").fence()).isEqualTo(new Fence(Fence.MAX));
  }

  @ParameterizedTest
  @ValueSource(longs = {Fence.MAX, Fence.MAX + 1, 999_999_999_999_999L, 1_000_000_000_000_000L})
  void beyondTheLastFenceAnAcquireIsRefusedAndNothingIsStored(long handedOut) {
    fixture().presetFence(key("report"), handedOut);
    for (int attempt = 0; attempt < 2; attempt++) {
      LockId id = newId();
      assertRefused(
          LockException.Code.INTERNAL, () -> backend.acquire(key("report"), id, LONG, NEVER));
      assertThat(isLocked("report")).isFalse();
      assertThat(backend.lookup(new LockQuery.ById(id), NEVER)).isEmpty();
      assertThat(release(id)).isFalse();
    }
  }

  @Test
  void aKeyWhoseFencesAreUsedUpDoesNotDisturbOthers() {
    fixture().presetFence(key("report"), Fence.MAX);
    assertRefused(LockException.Code.INTERNAL, () -> attempt("report"));
    assertThat(take("other").fence()).isEqualTo(Fence.FIRST);
  }

  @Test
  void nobodyIsWarnedWhileManyFencesAreLeft() {
    fixture().presetFence(key("report"), Fence.WARN - 1);
    assertThat(warningsOf(() -> take("report"))).isEmpty();
  }

  @Test
  void theOperatorIsWarnedOnceFewFencesAreLeft() {
    fixture().presetFence(key("report"), Fence.WARN);
    List<LogRecord> warnings = warningsOf(() -> take("report"));
    assertThat(warnings).hasSize(1);
    assertThat(warnings.get(0).getLevel()).isEqualTo(Level.WARNING);
    assertThat(warnings.get(0).getMessage())
        .contains(key("report").hash().hex())
        .doesNotContain("report");
  }

  private static List<LogRecord> warningsOf(Runnable work) {
    try (CapturedLog log = CapturedLog.everythingOf(FenceWarning.class.getName())) {
      work.run();
      return log.records();
    }
  }
}
