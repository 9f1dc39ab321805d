package dev.syncguard.torture.questions;

import static dev.syncguard.torture.questions.Subject.LONG;
import static dev.syncguard.torture.questions.Subject.NEVER;
import static dev.syncguard.torture.questions.Subject.expect;

import dev.syncguard.lock.BackendClosedException;
import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.spi.LockQuery;
import java.util.ArrayList;
import java.util.List;

/** Whoever gives up, is interrupted, or has closed its backend is told so. */
final class MannerQuestions {

  private MannerQuestions() {}

  static List<Question> all() {
    return List.of(
        new Question("What was cancelled before it was sent never happens", store -> {
          Cancellation cancelled = Cancellation.create();
          cancelled.cancel();
          LockBackend backend = store.backend();
          LockId id = store.newId();
          assertAborted(() -> backend.acquire(store.key(), id, LONG, cancelled));
          expect(!store.isLocked(store.key()), "A key was taken all the same");
          Held lease = store.take(store.key());
          assertAborted(() -> backend.release(lease.id(), cancelled));
          assertAborted(() -> backend.extend(lease.id(), LONG, cancelled));
          assertAborted(() -> backend.isLocked(store.key(), cancelled));
          assertAborted(() -> backend.lookupRaw(new LockQuery.ByKey(store.key()), cancelled));
          expect(
              store.shown(lease).expiresAt().equals(lease.grant().expiresAt()),
              "A lease was changed all the same");
        }),
        new Question("Who is interrupted stays so, and has the lease or has not", store -> {
          LockId id = store.newId();
          boolean granted = false;
          boolean stayed;
          Thread.currentThread().interrupt();
          try {
            store.backend().acquire(store.key(), id, LONG, NEVER);
            granted = true;
          } catch (LockException e) {
            expectCode(e, LockException.Code.ABORTED, "an interrupted caller");
          } finally {
            stayed = Thread.interrupted();
          }
          expect(stayed, "The interrupt was swallowed");
          expect(!granted || store.look(id).isPresent(), "A granted lease was not there");
        }),
        new Question("A backend that was closed refuses everything, for good", store -> {
          if (!store.promises().closes()) {
            throw NotDecided.notOffered("the backend may have nothing to close");
          }
          Held lease = store.take(store.key());
          LockBackend closed = store.another();
          expect(closed.isLocked(store.key(), NEVER), "A key that is held was called free");
          closed.close();
          List<Runnable> calls = new ArrayList<>();
          calls.add(() -> closed.acquire(store.key("new"), store.newId(), LONG, NEVER));
          calls.add(() -> closed.extend(lease.id(), LONG, NEVER));
          calls.add(() -> closed.release(lease.id(), NEVER));
          calls.add(() -> closed.isLocked(store.key(), NEVER));
          calls.add(() -> closed.lookupRaw(new LockQuery.ByKey(store.key()), NEVER));
          for (Runnable call : calls) {
            assertClosed(call);
          }
          expect(store.look(lease.id()).isPresent(), "Closing ended a lease");
        }));
  }

  private static void assertAborted(Runnable call) {
    try {
      call.run();
    } catch (LockException e) {
      expectCode(e, LockException.Code.ABORTED, "a caller that had given up");
      return;
    }
    throw new WrongAnswer("A call that was cancelled was answered");
  }

  private static void assertClosed(Runnable call) {
    try {
      call.run();
    } catch (BackendClosedException e) {
      return;
    } catch (LockException e) {
      throw new WrongAnswer("It said " + e.code().specName() + " instead");
    }
    throw new WrongAnswer("It answered");
  }

  private static void expectCode(LockException told, LockException.Code code, String whom) {
    expect(told.code() == code, "It told " + whom + " " + told.code().specName());
  }
}
