package dev.syncguard.torture.questions;

import static dev.syncguard.torture.questions.Subject.LONG;
import static dev.syncguard.torture.questions.Subject.NEVER;
import static dev.syncguard.torture.questions.Subject.expect;

import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.ReleaseResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Keys are words that mean nothing to the store. */
final class KeyQuestions {

  /** What stores use as names, patterns, quotes and ends of their own. */
  private static final List<String> ENDS = List.of(
      "",
      " ",
      "A",
      "a",
      "/",
      "//",
      ".",
      "..",
      "*",
      "%",
      "_",
      "'",
      "\"",
      "\\",
      "{x}",
      "{y}",
      ":",
      "\t",
      "\r\n",
      "\u0001",
      "\u00e9",
      "\u62a5",
      "\ud83d\udd12",
      "; DROP TABLE locks",
      "$(x)",
      "null");

  private KeyQuestions() {}

  static List<Question> all() {
    return List.of(
        new Question("Keys that differ in a single character are different keys", store -> {
          List<Held> all = new ArrayList<>();
          for (String end : ENDS) {
            Held lease = store.take(store.key(end));
            expect(lease.fence() == 1, "The first grant of a key had fence " + lease.fence());
            all.add(lease);
          }
          for (Held lease : all) {
            expect(
                store
                    .look(lease.key())
                    .filter(l -> l.lockId().equals(lease.id()))
                    .isPresent(),
                "A look-up by key found another holder, or nobody");
            expect(
                store.look(lease.id()).filter(l -> l.key().equals(lease.key())).isPresent(),
                "A look-up by id found another key, or nobody");
          }
        }),
        new Question("Two spellings of one text are one key", store -> {
          Held composed = store.take(store.key("caf\u00e9"));
          expect(
              store.backend().acquire(store.key("cafe\u0301"), store.newId(), LONG, NEVER)
                  instanceof AcquireResult.Contended,
              "The second spelling was granted although " + composed.fence() + " held the first");
        }),
        new Question("A key may be called like something of the store's", store -> {
          long fence = 0;
          for (String beginning : List.of("fence:", "fence:syncguard:", "id:", "syncguard:")) {
            Held before = store.take(store.key());
            expect(before.fence() == ++fence, "A grant had fence " + before.fence());
            release(store, before);
            Held disguised =
                store.take(LockKey.of(beginning + store.key().value().toLowerCase(Locale.ROOT)));
            Held real = store.take(store.key());
            expect(
                real.fence() == ++fence,
                "While a key called like something of the store's was held, a grant had fence "
                    + real.fence() + " instead of " + fence);
            release(store, real);
            release(store, disguised);
          }
        }));
  }

  private static void release(Subject store, Held lease) {
    expect(
        store.backend().release(lease.id(), NEVER) instanceof ReleaseResult.Released,
        "A holder could not release");
  }
}
