package dev.syncguard.cli;

import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Marks posts and comments as read. */
@Command(
    name = "mark",
    description = "Marks posts and comments as read, here and on all other devices.",
    footerHeading = "%nExamples:%n",
    footer = "  syncguard reader mark 3Xk2nY9ab 7Qw4mPz1c")
final class ReaderMarkCommand extends ReaderAction {

  @Parameters(arity = "1..*", paramLabel = "ID", description = "The ids of posts and comments.")
  private List<String> ids = List.of();

  @Override
  void check() {
    if (!ids.stream().allMatch(id -> id.matches("[A-Za-z0-9_-]{1,64}"))) {
      throw wrong("An ID consists of up to 64 letters, digits, - and _");
    }
  }

  @Override
  int act(ReaderSession session) {
    session.change(reader -> reader.markRead(ids));
    return pushed(session, ids.size() == 1 ? "Marked as read" : ids.size() + " marked as read");
  }
}
