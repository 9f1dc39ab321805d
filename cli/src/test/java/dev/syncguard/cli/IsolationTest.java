package dev.syncguard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IsolationTest {

  @TempDir
  Path bin;

  @Test
  void prefersSetsidThenPerlThenNothing() throws IOException {
    assertThat(choose(false)).isEqualTo(new Isolation(List.of(), false, false));
    program("perl");
    assertThat(choose(false).wrap(List.of("ls", "-l")))
        .startsWith("perl")
        .endsWith("--", "ls", "-l");
    program("setsid");
    assertThat(choose(false).wrap(List.of("ls", "-l"))).containsExactly("setsid", "ls", "-l");
  }

  @Test
  void leavesACommandInFrontOfItsTerminal() throws IOException {
    program("setsid");
    Isolation atTerminal = choose(true);

    assertThat(atTerminal.wrap(List.of("vi"))).containsExactly("vi");
    assertThat(atTerminal.forwards("INT"))
        .as("the terminal interrupts it already")
        .isFalse();
    assertThat(atTerminal.forwards("TERM")).isTrue();
  }

  @Test
  void passesAnInterruptOnToACommandWithoutTerminal() throws IOException {
    program("setsid");

    assertThat(choose(false).ownGroup()).isTrue();
    assertThat(choose(false).forwards("INT")).isTrue();
  }

  @Test
  void findsProgramsAsAShellDoes() throws IOException {
    program("tool");
    Files.createDirectory(bin.resolve("folder"));
    Files.createFile(bin.resolve("text"));
    Executables executables = new Executables("/nowhere:" + bin);

    assertThat(executables.has("tool")).isTrue();
    assertThat(executables.has(bin + "/tool")).isTrue();
    assertThat(executables.has("folder")).isFalse();
    assertThat(executables.has("text")).isFalse();
    assertThat(executables.find("text")).isPresent();
    assertThat(executables.find("absent")).isEmpty();
    assertThat(executables.find("nul\0")).isEmpty();
  }

  private Isolation choose(boolean atTerminal) {
    return Isolation.choose(atTerminal, new Executables(bin.toString()));
  }

  private void program(String name) throws IOException {
    assertThat(Files.createFile(bin.resolve(name)).toFile().setExecutable(true)).isTrue();
  }
}
