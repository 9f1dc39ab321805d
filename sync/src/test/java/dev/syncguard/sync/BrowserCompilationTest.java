package dev.syncguard.sync;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.teavm.diagnostics.Problem;
import org.teavm.tooling.EmptyTeaVMToolLog;
import org.teavm.tooling.TeaVMTargetType;
import org.teavm.tooling.TeaVMTool;
import org.teavm.vm.TeaVMOptimizationLevel;

/** The engine must stay within what TeaVM can compile, and small enough for a userscript. */
class BrowserCompilationTest {

  // The whole userscript may have 250 KB; the page and its adapters need their share.
  private static final long MOST_BYTES = 180_000;

  @Test
  void theWholeEngineCompilesForTheBrowserAndStaysSmall(@TempDir Path directory) throws Exception {
    List<String> problems = new ArrayList<>();
    Path script = compile(BrowserEntryPoint.class.getName(), directory, problems);
    assertThat(problems).isEmpty();
    assertThat(Files.size(script)).isBetween(20_000L, MOST_BYTES);
  }

  @Test
  void aClassThatBrowsersLackIsNoticed(@TempDir Path directory) throws Exception {
    List<String> problems = new ArrayList<>();
    compile(UsesMessageDigest.class.getName(), directory, problems);
    assertThat(problems).anyMatch(problem -> problem.contains("MessageDigest"));
  }

  /** What the engine must not do. */
  public static final class UsesMessageDigest {
    private UsesMessageDigest() {}

    public static void main(String[] args) throws Exception {
      System.out.println(MessageDigest.getInstance("SHA-256").getDigestLength());
    }
  }

  private static Path compile(String mainClass, Path directory, List<String> problems)
      throws Exception {
    TeaVMTool tool = new TeaVMTool();
    tool.setMainClass(mainClass);
    tool.setTargetType(TeaVMTargetType.JAVASCRIPT);
    tool.setOptimizationLevel(TeaVMOptimizationLevel.ADVANCED);
    tool.setObfuscated(true);
    tool.setTargetDirectory(directory.toFile());
    tool.setTargetFileName("engine.js");
    tool.setClassLoader(BrowserCompilationTest.class.getClassLoader());
    tool.setLog(new EmptyTeaVMToolLog());
    tool.generate();
    for (Problem problem : tool.getProblemProvider().getProblems()) {
      problems.add(problem.getText() + " " + Arrays.toString(problem.getParams()));
    }
    return new File(directory.toFile(), "engine.js").toPath();
  }
}
