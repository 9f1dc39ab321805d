package dev.syncguard.lock.testkit.wrong;

import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A way in which a backend can be wrong.
 *
 * @param what what is wrong, in a few words
 * @param backend opens a backend that is wrong in this way
 * @param noticedBy the contracts that must notice, each of them
 */
record Wrong(String what, Function<PlainStore, PlainBackend> backend, List<Class<?>> noticedBy) {

  Wrong(String what, Function<PlainStore, PlainBackend> backend, Class<?>... noticedBy) {
    this(what, backend, Arrays.asList(noticedBy));
  }

  /** What is wrong with the plain backend itself. */
  static final Wrong NOTHING = new Wrong("nothing is wrong", PlainBackend::new);

  /** Returns the way with this name. */
  static Wrong named(String what) {
    return ways().filter(wrong -> wrong.what.equals(what)).findFirst().orElseThrow();
  }

  /** Returns every way that we thought of. */
  static Stream<Wrong> ways() {
    return Stream.of(
            WrongFences.all(),
            WrongOwners.all(),
            WrongReach.all(),
            WrongTimes.all(),
            WrongManners.all(),
            WrongLines.all(),
            WrongNotes.all(),
            WrongNews.all())
        .flatMap(List::stream);
  }

  @Override
  public String toString() {
    return what;
  }
}
