package dev.syncguard.sync;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.teavm.backend.javascript.JSModuleType;
import org.teavm.tooling.EmptyTeaVMToolLog;
import org.teavm.tooling.TeaVMTargetType;
import org.teavm.tooling.TeaVMTool;
import org.teavm.tooling.TeaVMToolException;
import org.teavm.vm.TeaVMOptimizationLevel;

/** Compiles for browsers as the userscript is compiled. */
public final class TeaVm {

  /**
   * What came of it.
   *
   * @param script defines the function {@code main}
   * @param problems why it cannot run in a browser, if it cannot
   */
  public record Compiled(Path script, List<String> problems) {}

  private TeaVm() {}

  public static Compiled compile(Class<?> mainClass, Path directory) throws TeaVMToolException {
    TeaVMTool tool = new TeaVMTool();
    tool.setMainClass(mainClass.getName());
    tool.setTargetType(TeaVMTargetType.JAVASCRIPT);
    tool.setJsModuleType(JSModuleType.NONE);
    tool.setOptimizationLevel(TeaVMOptimizationLevel.ADVANCED);
    tool.setObfuscated(true);
    tool.setTargetDirectory(directory.toFile());
    tool.setTargetFileName("compiled.js");
    tool.setClassLoader(TeaVm.class.getClassLoader());
    tool.setLog(new EmptyTeaVMToolLog());
    tool.generate();
    List<String> problems = tool.getProblemProvider().getProblems().stream()
        .map(problem -> problem.getText() + " " + Arrays.toString(problem.getParams()))
        .toList();
    return new Compiled(directory.resolve("compiled.js"), problems);
  }
}
