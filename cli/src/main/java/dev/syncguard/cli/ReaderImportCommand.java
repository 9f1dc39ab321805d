package dev.syncguard.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Takes over what was exported. */
@Command(
    name = "import",
    description = "Takes over what was exported, and brings it to all other devices.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  syncguard reader import backup.json",
      "  syncguard reader --device old export | syncguard reader --device new import -"
    })
final class ReaderImportCommand extends ReaderAction {

  @Parameters(paramLabel = "FILE", description = "The exported JSON; - reads standard input.")
  private String file = "";

  private String json = "";

  @Override
  void check() {
    try {
      json = file.equals("-")
          ? new String(System.in.readAllBytes(), StandardCharsets.UTF_8)
          : Files.readString(Path.of(file));
    } catch (IOException e) {
      throw wrong("The FILE cannot be read");
    }
  }

  @Override
  int act(ReaderSession session) {
    try {
      session.call(sync -> {
        sync.importState(json);
        return true;
      });
    } catch (IllegalArgumentException e) {
      throw wrong("Nothing was changed: " + e.getMessage());
    }
    return pushed(session, "Imported");
  }
}
