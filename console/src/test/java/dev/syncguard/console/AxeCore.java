package dev.syncguard.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The accessibility checker that browsers' own tools use, from npm. */
final class AxeCore {

  private static final Path SOURCE = Path.of("src/test/node/package.json");
  private static final Path DIRECTORY = Path.of("target/node");
  private static final Path SCRIPT = DIRECTORY.resolve("node_modules/axe-core/axe.min.js");

  private AxeCore() {}

  /** Asserts that a page violates no rule, among them those that are only good practice. */
  static void assertNoViolation(Page page, String what) {
    page.evaluate(script());
    List<?> violations = (List<?>) page.evaluate("""
        () => axe.run().then(result => result.violations.map(violation => violation.id + ': ' + violation.help + ' '
            + violation.nodes.slice(0, 3).map(node => node.html.slice(0, 140)).join(' | ')))
        """);
    assertThat(violations).as(what).isEmpty();
  }

  private static synchronized String script() {
    try {
      if (!Files.exists(SCRIPT)) {
        install();
      }
      return Files.readString(SCRIPT);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while installing axe-core", e);
    }
  }

  private static void install() throws IOException, InterruptedException {
    Files.createDirectories(DIRECTORY);
    Files.copy(SOURCE, DIRECTORY.resolve("package.json"), StandardCopyOption.REPLACE_EXISTING);
    Process npm = new ProcessBuilder(
            "npm",
            "install",
            "--prefer-offline",
            "--no-audit",
            "--no-fund",
            "--no-package-lock",
            "--ignore-scripts")
        .directory(DIRECTORY.toFile())
        .redirectErrorStream(true)
        .redirectOutput(DIRECTORY.resolve("npm.log").toFile())
        .start();
    if (!npm.waitFor(4, TimeUnit.MINUTES) || npm.exitValue() != 0) {
      npm.destroyForcibly();
      throw new IllegalStateException(
          "npm could not install axe-core; is Node with npm installed?");
    }
  }
}
