package dev.syncguard.lock.spi;

import dev.syncguard.lock.Cancellation;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * A call to a store that ends as soon as it is cancelled, however long the store is silent.
 *
 * <p>Drivers wait in the caller's thread, and nothing but breaking their connection ends that. Whoever cancels breaks it;
 * once {@link #close()} returns nobody does any more, so that a connection is never broken under its next user.
 */
public final class CallInFlight implements AutoCloseable {

  private final Runnable breakOff;
  private final ReentrantLock guard = new ReentrantLock();
  private boolean over;
  private Cancellation.Registration listening = Cancellation.Registration.NOTHING;

  private CallInFlight(Runnable breakOff) {
    this.breakOff = breakOff;
  }

  /**
   * Begins a call. Close it before its connection is given back.
   *
   * @param cancellation what ends the call
   * @param breakOff breaks the connection for good, in whatever thread cancels
   */
  public static CallInFlight begin(Cancellation cancellation, Runnable breakOff) {
    CallInFlight call = new CallInFlight(breakOff);
    call.listening = cancellation.onCancel(call::cancelled);
    return call;
  }

  private void cancelled() {
    guard.lock();
    try {
      if (!over) {
        breakOff.run();
      }
    } finally {
      guard.unlock();
    }
  }

  @Override
  public void close() {
    listening.close();
    guard.lock();
    try {
      over = true;
    } finally {
      guard.unlock();
    }
  }

  /**
   * Opens a connection in a thread of its own, since one that is not there yet cannot be broken, and waits for it.
   *
   * @param cancellation what ends the waiting
   * @param opening opens it
   * @param unwanted what becomes of one that is there too late
   * @throws CancellationException if the call was cancelled meanwhile
   * @throws ExecutionException with what {@code opening} threw
   */
  public static <T> T open(
      Cancellation cancellation, Callable<T> opening, Consumer<? super T> unwanted)
      throws ExecutionException, InterruptedException {
    CompletableFuture<T> opened = new CompletableFuture<>();
    Thread thread = new Thread(() -> open(opened, opening, unwanted), "syncguard-connect");
    thread.setDaemon(true);
    thread.start();
    try (Cancellation.Registration listening = cancellation.onCancel(() -> opened.cancel(false))) {
      return opened.get();
    } catch (InterruptedException e) {
      opened.cancel(false);
      // Does nothing unless the connection was there before.
      CompletableFuture<Void> unused = opened.thenAccept(unwanted);
      throw e;
    }
  }

  private static <T> void open(
      CompletableFuture<T> opened, Callable<T> opening, Consumer<? super T> unwanted) {
    T connection;
    try {
      connection = opening.call();
    } catch (Exception | Error e) {
      opened.completeExceptionally(e);
      return;
    }
    if (!opened.complete(connection)) {
      unwanted.accept(connection);
    }
  }
}
