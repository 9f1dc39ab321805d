package dev.syncguard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.Gson;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The container file agrees with what it packs; nothing here can build it. */
class DockerfileTest {
  private static final Path ROOT = Path.of("..");

  @RegisterExtension
  final RealProgram syncguard = new RealProgram();

  @Test
  void itCopiesWhatTheLauncherMakes() throws Exception {
    String file = Files.readString(ROOT.resolve("Dockerfile"));
    String launcher = Files.readString(ROOT.resolve("syncguard"));
    assertThat(file).contains("COPY . .", "./syncguard version", ".syncguard/current", "/lib\"");
    assertThat(launcher).contains("state=$root/.syncguard", "$state/current", "/lib/");
    assertThat(Files.readAllLines(ROOT.resolve(".dockerignore")))
        .contains(".git", ".syncguard", "**/target");
  }

  @Test
  void itsCommandIsOneThatTheProgramUnderstands() throws Exception {
    String entry = Files.readAllLines(ROOT.resolve("Dockerfile")).stream()
        .filter(line -> line.startsWith("ENTRYPOINT "))
        .map(line -> line.substring("ENTRYPOINT ".length()))
        .findFirst()
        .orElseThrow();
    List<String> words = List.of(new Gson().fromJson(entry, String[].class));
    int main = words.indexOf(Main.class.getName());
    assertThat(main).as(entry).isPositive();
    List<String> arguments = new ArrayList<>(words.subList(main + 1, words.size()));
    arguments.add("--describe"); // reads all options and starts nothing
    assertThat(syncguard.run(arguments.toArray(String[]::new)).exitCode()).isZero();
  }
}
