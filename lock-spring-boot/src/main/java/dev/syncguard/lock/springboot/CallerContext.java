package dev.syncguard.lock.springboot;

import io.micrometer.context.ContextSnapshot;
import io.micrometer.context.ContextSnapshotFactory;
import org.springframework.util.ClassUtils;

/** What the calling thread knows and others do not, such as the trace; nothing without Micrometer's context propagation. */
interface CallerContext {

  /** Runs work with it. */
  void run(Runnable work);

  /** Returns that of this thread. */
  static CallerContext capture() {
    return Snapshots.PRESENT ? Snapshots.capture() : Runnable::run;
  }

  /** Loaded only where the library is. */
  final class Snapshots {
    static final boolean PRESENT = ClassUtils.isPresent(
        "io.micrometer.context.ContextSnapshotFactory", CallerContext.class.getClassLoader());

    private Snapshots() {}

    static CallerContext capture() {
      ContextSnapshot snapshot = ContextSnapshotFactory.builder().build().captureAll();
      return work -> snapshot.wrap(work).run();
    }
  }
}
