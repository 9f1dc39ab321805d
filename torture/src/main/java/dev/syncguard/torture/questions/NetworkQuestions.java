package dev.syncguard.torture.questions;

import static dev.syncguard.torture.questions.Subject.LONG;
import static dev.syncguard.torture.questions.Subject.NEVER;
import static dev.syncguard.torture.questions.Subject.expect;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.spi.ReleaseResult;
import dev.syncguard.torture.proxy.Network;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/** What is told when the store cannot be reached. The keys are looked at over a network that nobody disturbs. */
final class NetworkQuestions {

  private static final int MOST_TRIES = 30;
  private static final Duration BETWEEN_TRIES = Duration.ofSeconds(1);
  private static final Duration UNDER_WAY = Duration.ofMillis(300);
  private static final long SOON_SECONDS = 20;

  private final LockBackend disturbed;
  private final Network network;

  private NetworkQuestions(Connection connection) {
    this.disturbed = connection.backend();
    this.network = connection.network();
  }

  static List<Question> over(Connection connection) {
    NetworkQuestions questions = new NetworkQuestions(connection);
    return List.of(
        new Question(
            "A store that cannot be reached gives no answer, and later it does", questions::outage),
        new Question("A request whose answer was lost can be sent again", questions::lostReply),
        new Question(
            "Who gives up while the store is silent need not wait for it", questions::silence));
  }

  private void outage(Subject store) {
    awaitAnswers(store);
    Held lease = store.take(store.key("held"));
    LockKey free = store.key("free");
    try {
      network.breakDown();
      assertUnanswered(() -> disturbed.acquire(free, store.newId(), LONG, NEVER), "An attempt");
      assertUnanswered(() -> disturbed.extend(lease.id(), LONG, NEVER), "An extension");
      assertUnanswered(() -> disturbed.release(lease.id(), NEVER), "A release");
    } finally {
      network.heal();
    }
    awaitAnswers(store);
    expect(store.look(lease.id()).isPresent(), "A release that did not get through ended a lease");
  }

  private void lostReply(Subject store) {
    awaitAnswers(store);
    LockId id = store.newId();
    network.loseNextReply();
    try {
      disturbed.acquire(store.key(), id, LONG, NEVER);
    } catch (LockException e) {
      assertNoAnswer(e, "An attempt");
    }
    expect(
        eventually(
            store,
            () -> disturbed.acquire(store.key(), id, LONG, NEVER)
                    instanceof AcquireResult.Acquired again
                && again.fence().value() == 1),
        "The attempt that was repeated did not find the lease of the first");
    expect(
        store.backend().release(id, NEVER) instanceof ReleaseResult.Released,
        "The lease was not there");
  }

  private void silence(Subject store) {
    awaitAnswers(store);
    Cancellation cancellation = Cancellation.create();
    network.fallSilent();
    try {
      CompletableFuture<AcquireResult> call = CompletableFuture.supplyAsync(
          () -> disturbed.acquire(store.key(), store.newId(), LONG, cancellation),
          work -> daemon(work).start());
      TimeUnit.MILLISECONDS.sleep(UNDER_WAY.toMillis());
      cancellation.cancel();
      call.get(SOON_SECONDS, TimeUnit.SECONDS);
      throw new WrongAnswer("A silent store answered");
    } catch (ExecutionException e) {
      expect(
          e.getCause() instanceof LockException told && told.code() == LockException.Code.ABORTED,
          "It was not told that it was cancelled");
    } catch (TimeoutException e) {
      throw new WrongAnswer("It waited on for " + SOON_SECONDS + " s");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw NotDecided.tooSlow();
    } finally {
      network.heal();
    }
  }

  private static Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "torture-question");
    thread.setDaemon(true);
    return thread;
  }

  /** The first requests of a client, and those after an outage, may fail. */
  private void awaitAnswers(Subject store) {
    LockId id = store.newId();
    LockKey key = store.key(id.value());
    expect(
        eventually(
            store, () -> disturbed.acquire(key, id, LONG, NEVER) instanceof AcquireResult.Acquired),
        "The store was there, but for " + MOST_TRIES + " s it was not asked");
  }

  private static boolean eventually(Subject store, BooleanSupplier call) {
    for (int attempt = 0; attempt < MOST_TRIES; attempt++) {
      try {
        return call.getAsBoolean();
      } catch (LockException e) {
        assertNoAnswer(e, "A client after an outage");
        store.pause(BETWEEN_TRIES);
      }
    }
    return false;
  }

  private static void assertUnanswered(Runnable call, String what) {
    try {
      call.run();
    } catch (LockException e) {
      assertNoAnswer(e, what);
      return;
    }
    throw new WrongAnswer(what + " was answered while nothing could reach the store");
  }

  private static void assertNoAnswer(LockException e, String whom) {
    expect(
        e.code() == LockException.Code.SERVICE_UNAVAILABLE
            || e.code() == LockException.Code.NETWORK_TIMEOUT,
        whom + " was told " + e.code().specName()
            + ", which does not say that the store could not be reached");
  }
}
