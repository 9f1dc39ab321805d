package dev.syncguard.cli;

import dev.syncguard.sync.ResetOutcome;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Empties the reader's state on all devices. */
@Command(
    name = "reset",
    description = {
      "Empties read marks, reading date and author preferences, here and on all other devices.",
      "Exits with 69 if only this device could be emptied; the others follow as soon as possible."
    },
    footerHeading = "%nExamples:%n",
    footer = {"  syncguard reader export > before.json && syncguard reader reset --yes"})
final class ReaderResetCommand extends ReaderAction {

  @Option(names = "--yes", description = "Do it: nothing can be brought back.")
  private boolean sure;

  @Override
  void check() {
    if (!sure) {
      throw wrong("This empties everything on all devices for good; if you mean it, add --yes");
    }
  }

  @Override
  int act(ReaderSession session) {
    ResetOutcome outcome = session.reset();
    if (outcome == ResetOutcome.REFUSED) {
      throw wrong(
          "Nothing was reset: the synced state was written by a newer version of this program."
              + " Update syncguard here and reset again, or reset where the newer version runs");
    }
    boolean everywhere = outcome == ResetOutcome.EVERYWHERE;
    output()
        .answer(
            new JsonLine().add("ok", true).add("everywhere", everywhere),
            everywhere
                ? "Empty everywhere"
                : "Empty here; the other devices follow as soon as sync works again");
    return everywhere ? ExitCode.DONE : ExitCode.UNAVAILABLE;
  }
}
