package dev.syncguard.firestore.server.listen;

import com.google.rpc.Code;
import dev.syncguard.firestore.server.FirestoreServerException;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/** Runs tasks one after the other on threads of an executor. Thread-safe. */
final class SerialTasks {
  private final Executor executor;
  private final Consumer<FirestoreServerException> failure;
  private final Queue<Runnable> queue = new ArrayDeque<>();
  private boolean running;

  SerialTasks(Executor executor, Consumer<FirestoreServerException> failure) {
    this.executor = executor;
    this.failure = failure;
  }

  void run(Runnable task) {
    synchronized (queue) {
      queue.add(task);
      if (running) {
        return;
      }
      running = true;
    }
    executor.execute(this::drain);
  }

  private void drain() {
    while (true) {
      Runnable task;
      synchronized (queue) {
        task = queue.poll();
        if (task == null) {
          running = false;
          return;
        }
      }
      try {
        task.run();
      } catch (FirestoreServerException e) {
        failure.accept(e);
      } catch (Throwable e) { // also an Error, or nothing would ever be told or refused again
        failure.accept(
            new FirestoreServerException(Code.INTERNAL, "The listener failed unexpectedly.", e));
      }
    }
  }
}
