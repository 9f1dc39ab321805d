package dev.syncguard.lock.testkit.wrong;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockException;
import dev.syncguard.torture.proxy.Network;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** A network inside of one JVM. Calls go over it as requests would. */
final class PlainNetwork implements Network {

  private enum Fault {
    NONE,
    LOSE_REQUEST,
    LOSE_REPLY,
    DELAY
  }

  private boolean broken;
  private boolean cut;
  private boolean silent;
  private Fault next = Fault.NONE;
  private Duration delay = Duration.ZERO;

  <T> T send(Supplier<T> request, Cancellation cancellation) {
    T answer = send(request);
    awaitSound(cancellation);
    return answer;
  }

  private synchronized void awaitSound(Cancellation cancellation) {
    if (!silent) {
      return;
    }
    try (Cancellation.Registration listening = cancellation.onCancel(this::lookAround)) {
      while (silent) {
        cancellation.throwIfCancelled();
        wait();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    throw lost();
  }

  private synchronized void lookAround() {
    notifyAll();
  }

  private <T> T send(Supplier<T> request) {
    switch (takeFault()) {
      case LOSE_REQUEST -> throw lost();
      case LOSE_REPLY -> {
        T unused = request.get();
        throw lost();
      }
      case DELAY -> {
        CompletableFuture<T> unused = CompletableFuture.supplyAsync(
            request, CompletableFuture.delayedExecutor(delay.toMillis(), TimeUnit.MILLISECONDS));
        throw lost();
      }
      case NONE -> {
        return request.get();
      }
    }
    throw new AssertionError();
  }

  private synchronized Fault takeFault() {
    if (broken || cut) {
      cut = false;
      return Fault.LOSE_REQUEST;
    }
    Fault fault = next;
    next = Fault.NONE;
    return fault;
  }

  private static LockException lost() {
    return new LockException(LockException.Code.SERVICE_UNAVAILABLE, "The connection was cut");
  }

  @Override
  public synchronized void cutAll() {
    cut = true;
  }

  @Override
  public synchronized void breakDown() {
    broken = true;
  }

  @Override
  public synchronized void fallSilent() {
    silent = true;
  }

  @Override
  public synchronized void heal() {
    broken = false;
    silent = false;
    notifyAll();
  }

  @Override
  public synchronized void loseNextRequest() {
    next = Fault.LOSE_REQUEST;
  }

  @Override
  public synchronized void loseNextReply() {
    next = Fault.LOSE_REPLY;
  }

  @Override
  public synchronized void delayNextRequest(Duration by) {
    next = Fault.DELAY;
    delay = by;
  }

  @Override
  public synchronized boolean hasFailed() {
    return next == Fault.NONE;
  }
}
