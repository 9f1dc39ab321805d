package dev.syncguard.lock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.Lease;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.memory.MemoryLockBackend;
import dev.syncguard.lock.spi.ReleaseResult;
import java.util.List;
import java.util.logging.LogManager;
import org.junit.jupiter.api.Test;

/** What is told of a release that failed if nobody said whom to tell, in a JVM of its own because of its environment. */
class DefaultReleaseErrorsTest {

  /** Closes a lease on a store that does not release, and prints what was logged. */
  static final class Program {
    public static void main(String[] arguments) {
      LogManager.getLogManager().reset(); // Nobody needs to see it on the console as well.
      try (CapturedLog log = CapturedLog.asConfigured()) {
        Lease lease = Locks.over(new Unreleasable()).lock("secret-key").acquire();
        lease.close();
        log.records()
            .forEach(entry -> System.out.println(
                entry.getLevel() + (entry.getThrown() == null ? "" : " with a stack trace")));
      }
      System.exit(0);
    }
  }

  private static final class Unreleasable extends ForwardingBackend {
    Unreleasable() {
      super(new MemoryLockBackend());
    }

    @Override
    public ReleaseResult release(LockId id, Cancellation cancellation) {
      throw new LockException(LockException.Code.SERVICE_UNAVAILABLE, "away");
    }
  }

  private static List<String> loggedBy(List<String> program) {
    try (ChildJvm child = ChildJvm.runBy(program, Program.class)) {
      return child.rest();
    }
  }

  @Test
  void itIsAWarning() {
    assertThat(loggedBy(List.of("env", "-u", "SYNCGUARD_DEBUG"))).containsExactly("WARNING");
  }

  @Test
  void debuggingAddsTheStackTrace() {
    assertThat(loggedBy(List.of("env", "SYNCGUARD_DEBUG=true")))
        .containsExactly("WARNING with a stack trace");
  }
}
