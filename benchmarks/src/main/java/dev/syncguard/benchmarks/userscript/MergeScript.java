package dev.syncguard.benchmarks.userscript;

import dev.syncguard.sync.FullEnvelope;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.teavm.backend.javascript.JSModuleType;
import org.teavm.jso.JSBody;
import org.teavm.jso.JSFunctor;
import org.teavm.jso.JSObject;
import org.teavm.tooling.EmptyTeaVMToolLog;
import org.teavm.tooling.TeaVMTargetType;
import org.teavm.tooling.TeaVMTool;
import org.teavm.tooling.TeaVMToolException;
import org.teavm.vm.TeaVMOptimizationLevel;

/** The engine's merge for a browser: as a script, and where that script begins. */
public final class MergeScript {

  private MergeScript() {}

  /** Takes how many marks and preferences there are, and leaves a function {@code compiledMerge} in the page. */
  public static void main(String[] sizes) {
    // TeaVM trips over a program that makes no array by reflection, which this does, and the engine
    // too.
    String[] given = Arrays.copyOf(sizes, 2);
    FullEnvelope envelope =
        new FullEnvelope(Integer.parseInt(given[0]), Integer.parseInt(given[1]));
    publish(envelope::merge);
  }

  @JSFunctor
  interface Merge extends JSObject {
    int merge();
  }

  @JSBody(params = "merge", script = "window.compiledMerge = merge;")
  private static native void publish(Merge merge);

  /** Compiles this class as the userscript is compiled. */
  static String compile(Path directory) throws IOException, TeaVMToolException {
    TeaVMTool tool = new TeaVMTool();
    tool.setTargetType(TeaVMTargetType.JAVASCRIPT);
    tool.setJsModuleType(JSModuleType.NONE);
    tool.setMainClass(MergeScript.class.getName());
    tool.setOptimizationLevel(TeaVMOptimizationLevel.ADVANCED);
    tool.setObfuscated(true);
    tool.setAssertionsRemoved(true);
    tool.setTargetDirectory(directory.toFile());
    tool.setTargetFileName("merge.js");
    tool.setClassLoader(MergeScript.class.getClassLoader());
    tool.setLog(new EmptyTeaVMToolLog());
    tool.generate();
    if (!tool.getProblemProvider().getSevereProblems().isEmpty()) {
      throw new IllegalStateException("The merge cannot be compiled: "
          + tool.getProblemProvider().getSevereProblems().get(0).getText());
    }
    return Files.readString(directory.resolve("merge.js"));
  }
}
