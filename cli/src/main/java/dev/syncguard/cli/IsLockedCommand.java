package dev.syncguard.cli;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.spi.LockBackend;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Tells whether anybody holds a key. */
@Command(
    name = "is-locked",
    description = {
      "Tells whether anybody holds a key.",
      "Only for looking: by the time you act on the answer it may have changed. To decide, take the lock."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  syncguard is-locked deploy && echo 'somebody is deploying'",
      "",
      "Exit codes: 0 locked, 1 free."
    })
final class IsLockedCommand extends StoreCommand {

  @Parameters(paramLabel = "KEY", description = "The name of what is being protected.")
  private String keyText = "";

  @Override
  Stores.Purpose purpose() {
    return Stores.Purpose.LOOK;
  }

  @Override
  Question prepare() {
    LockKey key = LockKey.of(keyText);
    return backend -> ask(key, backend, output());
  }

  /** Answers {@code is-locked KEY} without the parser. */
  static int answer(String keyText, Syncguard top) {
    if (Stores.isSqlite(top.surroundings())) {
      SqliteDriver.startBeside();
    }
    LockKey key = LockKey.of(keyText);
    try (LockBackend backend = top.open(Stores.Purpose.LOOK)) {
      return ask(key, backend, top.output());
    }
  }

  private static int ask(LockKey key, LockBackend backend, Output output) {
    boolean locked = backend.isLocked(key, Cancellation.none());
    output.answer(
        new JsonLine()
            .add("ok", true)
            .add("locked", locked)
            .add("keyHash", key.hash().hex()),
        locked ? "locked" : "free");
    return locked ? ExitCode.DONE : ExitCode.NO;
  }
}
