package dev.syncguard.torture.questions;

import static dev.syncguard.torture.questions.Subject.LONG;
import static dev.syncguard.torture.questions.Subject.NEVER;
import static dev.syncguard.torture.questions.Subject.expect;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.spi.LockQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Keys and ids are told to nobody who does not ask for them. */
final class SecretQuestions {

  /** Drivers print their parameters at their finest level; nothing that we do could hide a key from them. */
  private static final Logger OURS = Logger.getLogger("dev.syncguard");

  private SecretQuestions() {}

  static List<Question> all() {
    return List.of(new Question(
        "No key and no id is in a message, a log, a name or a text", store -> {
          LockKey key = store.key();
          Held lease = store.take(key);
          List<String> secrets = List.of(key.value(), lease.id().value());
          Listener listener = new Listener();
          Level before = OURS.getLevel();
          OURS.addHandler(listener);
          OURS.setLevel(Level.ALL);
          try {
            provoke(store, key, lease.id(), secrets);
          } finally {
            OURS.setLevel(before);
            OURS.removeHandler(listener);
          }
          listener.texts().forEach(text -> assertSilent(text, secrets, "The log"));
          assertSilent(store.backend().toString(), secrets, "The text of the backend");
          assertSilent(lease.grant().toString(), secrets, "The text of a grant");
          for (Thread thread : Thread.getAllStackTraces().keySet()) {
            assertSilent(thread.getName(), secrets, "The name of a thread");
          }
        }));
  }

  private static void provoke(Subject store, LockKey key, LockId id, List<String> secrets) {
    LockBackend backend = store.backend();
    Cancellation cancelled = Cancellation.create();
    cancelled.cancel();
    List<Runnable> calls = new ArrayList<>();
    for (Cancellation each : List.of(NEVER, cancelled)) {
      calls.add(() -> backend.acquire(key, store.newId(), LONG, each));
      calls.add(() -> backend.extend(id, LONG, each));
      calls.add(() -> backend.isLocked(key, each));
      calls.add(() -> backend.lookupRaw(new LockQuery.ByKey(key), each));
      calls.add(() -> backend.lookupRaw(new LockQuery.ById(id), each));
    }
    calls.add(() -> backend.release(id, cancelled));
    for (Runnable call : calls) {
      try {
        call.run();
      } catch (LockException e) {
        for (@Nullable Throwable cause = e; cause != null; cause = cause.getCause()) {
          assertSilent(cause.toString(), secrets, "A message");
        }
      }
    }
  }

  private static void assertSilent(@Nullable String text, List<String> secrets, String where) {
    expect(
        text == null || secrets.stream().noneMatch(text::contains),
        where + " had a key or an id in it");
  }

  /** Keeps what is logged. */
  private static final class Listener extends Handler {
    private final List<String> texts = new ArrayList<>();

    @Override
    public synchronized void publish(LogRecord record) {
      texts.add(record.getMessage() + " " + record.getThrown());
    }

    synchronized List<String> texts() {
      return List.copyOf(texts);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
