package dev.syncguard.firestore.server;

import static java.lang.System.Logger.Level.WARNING;

import dev.syncguard.firestore.server.auth.ActiveRules;
import dev.syncguard.firestore.server.auth.RulesFileWatch;
import dev.syncguard.rules.Compilation;
import dev.syncguard.rules.Rules;
import dev.syncguard.rules.RulesFile;
import dev.syncguard.rules.report.ProblemText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The security rules that a server starts with. They must compile before it does. What is returned puts them in force and
 * answers with what is to be called from time to time, to see whether they have changed.
 */
final class StartingRules {

  private static final System.Logger log = System.getLogger(FirestoreServerBuilder.class.getName());

  private StartingRules() {}

  static Function<ActiveRules, Runnable> of(String source) {
    Rules compiled = compiled("rules", source);
    return active -> {
      active.replace(compiled);
      return () -> {};
    };
  }

  /** Returns the rules in a file, which may change. */
  static Function<ActiveRules, Runnable> in(
      Path file, BiConsumer<ActiveRules, Rules> replace, Consumer<RulesFileWatch.Reload> observer) {
    requireCompiling(file);
    return active -> {
      RulesFileWatch watch =
          new RulesFileWatch(file, compiled -> replace.accept(active, compiled), observer);
      watch.look();
      return watch::look;
    };
  }

  private static void requireCompiling(Path file) {
    try {
      compiled(file.toString(), Files.readString(file));
    } catch (IOException e) {
      throw new IllegalArgumentException("The file of rules cannot be read: " + file, e);
    }
  }

  private static Rules compiled(String name, String source) {
    Compilation compilation = RulesFile.compile(source);
    return compilation
        .rules()
        .orElseThrow(() -> new IllegalArgumentException("The security rules do not compile:\n"
            + new ProblemText(name, source).of(compilation.errors())));
  }

  /** Tells the log what became of a file that changed. */
  static void log(RulesFileWatch.Reload reload) {
    if (!reload.applied()) {
      log.log(WARNING, () -> "The security rules stay as they were:\n" + reload.problems());
    } else if (!reload.problems().isEmpty()) {
      log.log(
          WARNING, () -> "The security rules are in force, with warnings:\n" + reload.problems());
    }
  }
}
