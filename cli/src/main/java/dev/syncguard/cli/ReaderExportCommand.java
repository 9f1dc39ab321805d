package dev.syncguard.cli;

import dev.syncguard.sync.PersistenceSync;
import picocli.CommandLine.Command;

/** Prints what the reader has. */
@Command(
    name = "export",
    description = "Prints read marks, reading date and author preferences as JSON.",
    footerHeading = "%nExamples:%n",
    footer = "  syncguard reader export > backup.json")
final class ReaderExportCommand extends ReaderAction {

  @Override
  int act(ReaderSession session) {
    output().out().println(session.call(PersistenceSync::exportState));
    output().out().flush();
    return ExitCode.DONE;
  }
}
