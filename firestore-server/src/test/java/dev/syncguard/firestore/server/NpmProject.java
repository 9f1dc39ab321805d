package dev.syncguard.firestore.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;

/** Programs for Node with what they need from npm, in a directory of the build. */
public record NpmProject(Path directory) {

  /** Installs what the package.json of a directory beside our sources asks for, unless that was done before. */
  public static NpmProject install(String name, String... programs) throws Exception {
    NpmProject project = new NpmProject(Path.of("target", name));
    Files.createDirectories(project.directory);
    // Tests of another JVM may want the same.
    try (FileChannel file = FileChannel.open(
            project.directory.resolveSibling(name + ".lock"),
            StandardOpenOption.CREATE,
            StandardOpenOption.WRITE);
        FileLock unused = file.lock()) {
      project.fill(Path.of("src", "test", name), programs);
    }
    return project;
  }

  private void fill(Path sources, String... programs) throws Exception {
    for (String program : programs) {
      copy(sources, program);
    }
    Path installed = directory.resolve("package.json");
    boolean done = Files.isDirectory(directory.resolve("node_modules"))
        && Files.exists(installed)
        && Files.mismatch(installed, sources.resolve("package.json")) < 0;
    if (!done) {
      copy(sources, "package.json");
      run(
          "npm could not install what the test needs; is Node with npm installed?",
          new ProcessBuilder(
              "npm",
              "install",
              "--prefer-offline",
              "--no-audit",
              "--no-fund",
              "--no-package-lock",
              "--ignore-scripts"));
    }
  }

  private void copy(Path sources, String file) throws IOException {
    Files.copy(sources.resolve(file), directory.resolve(file), StandardCopyOption.REPLACE_EXISTING);
  }

  /** Runs a program to its end and returns what it printed, or fails with the complaint if the program does. */
  public String run(String complaint, ProcessBuilder program)
      throws IOException, InterruptedException {
    Path log = Files.createTempFile(directory, "run", ".log");
    Process process = program
        .directory(directory.toFile())
        .redirectErrorStream(true)
        .redirectOutput(log.toFile())
        .start();
    boolean ended = process.waitFor(4, TimeUnit.MINUTES);
    if (!ended) {
      process.destroyForcibly();
    }
    String output = Files.readString(log, StandardCharsets.UTF_8);
    assertThat(ended && process.exitValue() == 0)
        .as(complaint + "\n" + String.join(" ", program.command()) + "\n" + output)
        .isTrue();
    return output;
  }
}
