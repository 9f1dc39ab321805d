package dev.syncguard.cli;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A test that runs commands inside its own process, on a store of its own. */
abstract class ProgramTest {

  @TempDir
  Path directory;

  final Map<String, String> variables = new HashMap<>();
  String input = "";

  @BeforeEach
  void useAStoreOfOurOwn() {
    variables.put("SYNCGUARD_STORE", "sqlite:" + directory.resolve("locks.db"));
  }

  final Answer syncguard(String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int exitCode = Program.run(surroundings(out, err), arguments);
    return new Answer(
        exitCode, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  final Surroundings surroundings(ByteArrayOutputStream out, ByteArrayOutputStream err) {
    return new Surroundings(
        new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
        new PrintStream(out, true, StandardCharsets.UTF_8),
        new PrintStream(err, true, StandardCharsets.UTF_8),
        variables);
  }
}
