package dev.syncguard.lock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.Fence;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.spi.StoreCheck;
import dev.syncguard.lock.spi.StoreCheck.Finding;
import dev.syncguard.lock.spi.StoreCheck.Severity;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A backend that can examine its store finds a good one good, and worn-out fences bad. */
public abstract class StoreCheckContract extends Contract {

  private List<Finding> examine() {
    return backend.storeCheck().orElseThrow().examine(NEVER);
  }

  @Test
  void aGoodStoreHasNoFailures() {
    Grant grant = take("payment:42");
    List<Finding> findings = examine();
    assertThat(findings).isNotEmpty();
    assertThat(findings).extracting(Finding::severity).doesNotContain(Severity.FAILURE);
    assertThat(findings).allSatisfy(finding -> {
      assertThat(finding.subject()).isNotBlank();
      assertThat(finding.message()).isNotBlank();
      assertThat(finding.toString())
          .doesNotContain(grant.key().value())
          .doesNotContain(grant.id().value());
    });
    assertHeld(grant);
  }

  @Test
  void fencesThatAreRunningOutAreFound() {
    fixture().presetFence(key("payment:42"), Fence.WARN + 1);
    release(take("payment:42"));
    assertThat(examine())
        .filteredOn(finding -> finding.severity() != Severity.GOOD)
        .as("findings about worn-out fences")
        .anyMatch(finding -> (finding.subject() + finding.message()).contains("fence"))
        .noneMatch(finding -> finding.toString().contains("payment:42"));
  }

  @Test
  void aCancelledExaminationIsAborted() {
    Cancellation cancelled = Cancellation.create();
    cancelled.cancel();
    StoreCheck check = backend.storeCheck().orElseThrow();
    assertRefused(LockException.Code.ABORTED, () -> check.examine(cancelled));
  }
}
