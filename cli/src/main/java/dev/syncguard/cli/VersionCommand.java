package dev.syncguard.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ParentCommand;

/** Says which program this is. */
@Command(
    name = "version",
    description = "Shows the version of SyncGuard and of the Java that runs it.",
    footerHeading = "%nExamples:%n",
    footer = "  syncguard version --json")
final class VersionCommand implements Callable<Integer> {

  @ParentCommand
  @SuppressWarnings("NullAway.Init") // The parser sets it.
  private Syncguard top;

  @Override
  public Integer call() {
    return answer(top);
  }

  /** Answers {@code version} without the parser. */
  static int answer(Syncguard top) {
    String version = version();
    String java = Runtime.version().toString();
    top.output()
        .answer(
            new JsonLine().add("ok", true).add("version", version).add("java", java),
            "syncguard " + version + " (Java " + java + ")");
    return ExitCode.DONE;
  }

  private static String version() {
    Properties properties = new Properties();
    try (InputStream in = VersionCommand.class.getResourceAsStream("version.properties")) {
      properties.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return properties.getProperty("version");
  }
}
