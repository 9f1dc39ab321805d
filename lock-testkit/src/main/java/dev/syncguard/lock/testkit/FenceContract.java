package dev.syncguard.lock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Fence;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.LockBackend;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The fence of a key grows with every holder, whatever happened to those before. */
public abstract class FenceContract extends Contract {

  @Test
  @Tag("check-25")
  void aFenceHasFifteenDigitsAndIsAboveZero() {
    Fence fence = take("report").fence();
    assertThat(fence.text()).matches("[0-9]{15}");
    assertThat(fence.value()).isPositive();
  }

  @Test
  void theFirstFenceOfAKeyIsOne() {
    assertThat(take("report").fence()).isEqualTo(Fence.FIRST);
  }

  @Test
  @Tag("check-26")
  void fencesRiseAsNumbersAndAsTexts() {
    List<Fence> fences = new ArrayList<>();
    for (int round = 0; round < 12; round++) {
      Grant grant = take("report");
      fences.add(grant.fence());
      release(grant);
    }
    assertThat(fences).isSorted().doesNotHaveDuplicates();
    assertThat(fences).extracting(Fence::text).isSorted().doesNotHaveDuplicates();
  }

  @Test
  @Tag("check-27")
  void everyKeyHasFencesOfItsOwn() {
    for (int round = 1; round <= 3; round++) {
      Grant a = take("a");
      Grant b = take("b");
      assertThat(a.fence().value()).isEqualTo(round);
      assertThat(b.fence().value()).isEqualTo(round);
      release(a);
      release(b);
    }
    assertThat(take("c").fence()).isEqualTo(Fence.FIRST);
  }

  @Test
  @Tag("check-28")
  void fencesGoOnRisingAfterAReleaseAndAfterAnEnd() {
    Grant released = take("report");
    release(released);
    Grant ended = take("report", SHORT);
    passBeyond(SHORT);
    Grant last = take("report");
    assertThat(List.of(released.fence(), ended.fence(), last.fence()))
        .containsExactly(new Fence(1), new Fence(2), new Fence(3));
  }

  @Test
  @Tag("check-29")
  @Tag("check-30")
  void askingAboutAnEndedLockDoesNotResetItsFence() {
    Fence previous = take("report", SHORT).fence();
    for (int round = 0; round < 2; round++) {
      passBeyond(SHORT);
      assertThat(isLocked("report")).isFalse();
      Fence next = take("report", SHORT).fence();
      assertThat(next).isGreaterThan(previous);
      previous = next;
    }
  }

  @Test
  void aRefusedAttemptUsesUpNoFence() {
    Grant holder = take("report");
    for (int i = 0; i < 5; i++) {
      attempt("report");
    }
    assertHeld(holder);
    release(holder);
    assertThat(take("report").fence()).isEqualTo(holder.fence().next());
  }

  @Test
  void extendingKeepsTheFence() {
    Grant holder = take("report");
    extend(holder, LONG);
    assertHeld(holder);
    release(holder);
    assertThat(take("report").fence()).isEqualTo(holder.fence().next());
  }

  @Test
  void fencesOfOneKeyNeverRepeatAcrossThreadsAndBackends() throws Exception {
    List<LockBackend> backends = List.of(backend, open());
    List<List<Fence>> perThread = Together.run(4, i -> {
      List<Fence> mine = new ArrayList<>();
      for (int round = 0; round < 25; round++) {
        Grant grant = takeWhenFree(backends.get(i % backends.size()));
        mine.add(grant.fence());
        release(grant);
      }
      return mine;
    });
    assertThat(perThread).allSatisfy(fences -> assertThat(fences).isSorted());
    assertThat(perThread.stream().flatMap(List::stream)).doesNotHaveDuplicates().hasSize(100);
  }

  private static Grant takeWhenFree(LockBackend backend) {
    while (true) {
      LockId id = newId();
      if (backend.acquire(key("report"), id, LONG, NEVER)
          instanceof AcquireResult.Acquired acquired) {
        return new Grant(key("report"), id, acquired.fence(), acquired.expiresAt());
      }
      Thread.onSpinWait();
    }
  }
}
