package dev.syncguard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class CompletionTest {

  @RegisterExtension
  final RealProgram program = new RealProgram();

  private Path script = Path.of("");

  @BeforeEach
  void writeTheScript() throws Exception {
    script =
        Files.writeString(program.file("completion"), program.run("completion").out());
  }

  @Test
  void bashCompletesCommands() {
    assertThat(complete("syncguard", "r")).contains("run", "release").doesNotContain("list");
  }

  @Test
  void bashCompletesOptions() {
    assertThat(complete("syncguard", "acquire", "--"))
        .contains("--ttl", "--wait", "--no-wait", "--store", "--json");
  }

  private List<String> complete(String... words) {
    List<String> command = new ArrayList<>(List.of(
        "bash",
        "-c",
        "compopt() { :; }; source " + script + "; COMP_WORDS=(\"$@\"); COMP_CWORD=$(($# - 1)); "
            + "_complete_syncguard; printf '%s\\n' \"${COMPREPLY[@]}\"",
        "bash"));
    command.addAll(List.of(words));
    Answer answer = program.startCommand(command).answer();
    assertThat(answer.err()).isEmpty();
    return answer.out().lines().map(String::strip).toList();
  }
}
