package dev.syncguard.cli;

import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Says which author the reader likes to see. */
@Command(
    name = "prefer",
    description = "Prefers an author, avoids them, or stops doing so.",
    footerHeading = "%nExamples:%n",
    footer = {"  syncguard reader prefer Alice up", "  syncguard reader prefer Alice none"})
final class ReaderPreferCommand extends ReaderAction {

  private static final Map<String, Integer> PREFERENCES = Map.of("up", 1, "down", -1, "none", 0);

  @Parameters(index = "0", paramLabel = "AUTHOR", description = "The name of the author.")
  private String author = "";

  @Parameters(index = "1", paramLabel = "up|down|none", description = "What you think of them.")
  private String preference = "";

  @Override
  void check() {
    if (!PREFERENCES.containsKey(preference)) {
      throw wrong("Say up, down or none after the AUTHOR");
    }
    if (author.isBlank() || author.length() > 64) {
      throw wrong("The AUTHOR has 1 to 64 characters");
    }
  }

  @Override
  int act(ReaderSession session) {
    session.change(
        reader -> reader.setAuthorPreference(author, PREFERENCES.getOrDefault(preference, 0)));
    return pushed(session, "Noted");
  }
}
