package dev.syncguard.firestore.server;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;

/** Makes threads with a name, which do not keep the JVM alive. */
final class DaemonThreads {
  private DaemonThreads() {}

  static ThreadFactory named(String name) {
    AtomicLong number = new AtomicLong();
    return task -> {
      Thread thread = new Thread(task, name + "-" + number.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }
}
