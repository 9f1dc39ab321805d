package dev.syncguard.cli;

import dev.syncguard.sync.SyncStatus;
import picocli.CommandLine.Command;

/** Brings in what other devices changed. */
@Command(
    name = "pull",
    description =
        "Brings in what other devices have changed; exits with 69 if that is not possible.",
    footerHeading = "%nExamples:%n",
    footer = "  syncguard reader --device phone pull")
final class ReaderPullCommand extends ReaderAction {

  @Override
  int act(ReaderSession session) {
    session.pull();
    ReaderSession.View view = session.view();
    output().answer(json(view), view.status().text());
    return view.status().kind() == SyncStatus.Kind.OK ? ExitCode.DONE : ExitCode.UNAVAILABLE;
  }
}
