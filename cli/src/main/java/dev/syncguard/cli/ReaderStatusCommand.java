package dev.syncguard.cli;

import dev.syncguard.sync.PersistenceSync;
import dev.syncguard.sync.ReaderState;
import dev.syncguard.sync.SyncStatus;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Shows what the device has and how sync is doing. */
@Command(
    name = "status",
    description =
        "Shows what this device has and how sync is doing; exits with 1 if it does not work.",
    footerHeading = "%nExamples:%n",
    footer = {"  syncguard reader status", "  syncguard reader status --debug    # for a bug report"
    })
final class ReaderStatusCommand extends ReaderAction {

  @Option(names = "--debug", description = "Show the summary to put into a bug report.")
  private boolean debug;

  @Override
  int act(ReaderSession session) {
    ReaderSession.View view = session.view();
    String text = "read        " + view.read().size() + "\nload from   " + date(view.loadFrom())
        + "\nauthors     "
        + view.authors().values().stream().filter(preference -> preference != 0).count()
        + "\nsync        "
        + view.status().text();
    output().answer(json(view), debug ? session.call(PersistenceSync::debugSummary) : text);
    return view.status().kind() == SyncStatus.Kind.OK ? ExitCode.DONE : ExitCode.NO;
  }

  private static String date(String loadFrom) {
    if (loadFrom.isEmpty()) {
      return "not chosen yet";
    }
    return loadFrom.equals(ReaderState.LOAD_RECENT) ? "recent" : loadFrom;
  }
}
