package dev.syncguard.cli;

import dev.syncguard.sync.SyncStatus;
import java.util.concurrent.Callable;
import picocli.CommandLine.ParentCommand;

/** A command that opens the device, does something with it, and shows how that left it. */
abstract class ReaderAction implements Callable<Integer> {

  @ParentCommand
  @SuppressWarnings("NullAway.Init") // The parser sets it.
  private ReaderCommand reader;

  @Override
  public final Integer call() {
    check();
    try (ReaderSession session = reader.open(new ReaderSession.Events() {
      @Override
      public void notice(String text) {
        output().note(text);
      }
    })) {
      session.start();
      return act(session);
    }
  }

  /** Looks at the arguments and throws if they are wrong; nothing has been opened yet. */
  void check() {}

  abstract int act(ReaderSession session);

  final Output output() {
    return reader.output();
  }

  final WrongUsage wrong(String message) {
    return reader.wrong(message);
  }

  /** Pushes what was changed and says whether that worked. What could not be pushed is kept for later. */
  final int pushed(ReaderSession session, String what) {
    session.flush();
    ReaderSession.View view = session.view();
    boolean done = view.status().kind() == SyncStatus.Kind.OK;
    output()
        .answer(
            json(view).add("pushed", done),
            what + (done ? "" : "; kept on this device until sync works again"));
    if (!done) {
      output().note(view.status().text());
    }
    return ExitCode.DONE;
  }

  static JsonLine json(ReaderSession.View view) {
    return new JsonLine()
        .add("ok", true)
        .add("status", view.status().kind().name())
        .add("message", view.status().text())
        .add("read", view.read().size())
        .add("loadFrom", view.loadFrom())
        .add(
            "authors",
            view.authors().values().stream()
                .filter(preference -> preference != 0)
                .count());
  }
}
