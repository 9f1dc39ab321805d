package dev.syncguard.firestore.server.auth;

import dev.syncguard.rules.Compilation;
import dev.syncguard.rules.Rules;
import dev.syncguard.rules.RulesFile;
import dev.syncguard.rules.report.ProblemText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * Follows a file of rules: what it says holds from the moment that somebody looks, unless it does not compile. Used by one
 * thread at a time.
 */
public final class RulesFileWatch {
  /**
   * What became of the file.
   *
   * @param applied whether its rules hold now; otherwise those from before stay
   * @param problems what is wrong or doubtful, as a compiler would print it; empty if nothing is
   */
  public record Reload(boolean applied, String problems) {}

  private final Path file;
  private final Consumer<Rules> target;
  private final Consumer<Reload> observer;
  private String last = "";
  private boolean readable = true;

  /** @param target where rules that compile go */
  public RulesFileWatch(Path file, Consumer<Rules> target, Consumer<Reload> observer) {
    this.file = file;
    this.target = target;
    this.observer = observer;
  }

  /** Looks whether the file has changed. */
  public void look() {
    String source;
    try {
      source = Files.readString(file);
    } catch (IOException e) {
      if (readable) {
        observer.accept(new Reload(false, file + ": error: It cannot be read."));
      }
      readable = false;
      return;
    }
    // Comparing all of it costs little, and misses nothing that a time of change could.
    if (!readable || !source.equals(last)) {
      last = source;
      readable = true;
      load(source);
    }
  }

  private void load(String source) {
    Compilation compilation = RulesFile.compile(source);
    compilation.rules().ifPresent(target);
    observer.accept(new Reload(
        compilation.rules().isPresent(),
        new ProblemText(file.toString(), source).of(compilation.problems())));
  }
}
