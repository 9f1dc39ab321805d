package dev.syncguard.lock.springboot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.syncguard.lock.Lease;
import dev.syncguard.lock.Locks;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A Kotlin suspend function holds its lock until it is done, suspended or not. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class LockedKotlinTest {

  private static void run(BiConsumer<Suspending, Locks> test) {
    Applications.inMemory().withBean(Suspending.class).run(application -> {
      assertThat(application).hasNotFailed();
      test.accept(application.getBean(Suspending.class), application.getBean(Locks.class));
    });
  }

  @Test
  void theLockIsHeldWhileTheFunctionIsSuspended() {
    run((bean, locks) -> {
      assertThat(Coroutines.ship(bean, 42, locks)).isEqualTo(1);
      assertThat(Coroutines.ship(bean, 42, locks)).as("the fence of the second").isEqualTo(2);
      assertThat(locks.isLocked("order:42")).isFalse();
    });
  }

  @Test
  void aBusyFunctionFailsOrIsSkipped() {
    run((bean, locks) -> {
      try (Lease other = locks.lock("slow").acquire()) {
        assertThat(Coroutines.skipped(bean)).isNull();
        assertThatThrownBy(() -> Coroutines.impatient(bean)).isInstanceOf(LockBusyException.class);
        assertThat(other.isHeld()).isTrue();
      }
      assertThat(Coroutines.skipped(bean)).isEqualTo("done");
    });
  }

  @Test
  void aFunctionThatThrowsOrIsCancelledReleasesItsLock() {
    run((bean, locks) -> {
      assertThatThrownBy(() -> Coroutines.failing(bean)).hasMessageContaining("no paper");
      assertThat(locks.isLocked("slow")).isFalse();
      Runnable cancelling = Coroutines.endless(bean);
      assertThat(locks.isLocked("slow")).isTrue();
      cancelling.run();
      Eventually.holds(() -> !locks.isLocked("slow"));
    });
  }
}
