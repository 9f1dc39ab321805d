package dev.syncguard.userscript.build;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.teavm.backend.javascript.JSModuleType;
import org.teavm.diagnostics.DefaultProblemTextConsumer;
import org.teavm.diagnostics.Problem;
import org.teavm.tooling.EmptyTeaVMToolLog;
import org.teavm.tooling.TeaVMTargetType;
import org.teavm.tooling.TeaVMTool;
import org.teavm.tooling.TeaVMToolException;
import org.teavm.vm.TeaVMOptimizationLevel;

/** Compiles the page and writes {@code power-reader.user.js} with its source map. The build calls it. */
public final class UserscriptBuild {

  private static final int MOST_BYTES = 270_000;
  private static final String NAME = "power-reader.user.js";
  private static final Pattern CODE_FROM_TEXT =
      Pattern.compile("\\beval\\s*\\(|\\bnew Function\\b");

  private UserscriptBuild() {}

  /** Takes the build directory, the version, and settings to write into the script as {@code name=value}. */
  public static void main(String[] args) throws IOException, TeaVMToolException {
    Path directory = Path.of(args[0]);
    Path resources = directory.resolve("classes/dev/syncguard/userscript");
    Path compiled = compile(directory.resolve("teavm"));
    var header = new ScriptHeader(
        args[1],
        settings(List.of(args).subList(2, args.length)),
        Files.readString(resources.resolve("reader.css")));
    String code = Files.readString(compiled);
    List<Integer> parentheses = EagerFunctions.places(code);
    String before = header.text();
    String script = before
        + with(parentheses, code).replaceAll("(?m)^//# sourceMappingURL.*$", "").strip()
        + "\nmain([]);\n})();\n//# sourceMappingURL=" + NAME + ".map\n";
    check(script);
    Files.writeString(resources.resolve(NAME), script);
    Files.writeString(resources.resolve(NAME.replace(".user.", ".meta.")), header.metadata());
    SourceMap map = new SourceMap(Files.readString(Path.of(compiled + ".map")))
        .widened(code, parentheses)
        .below(before.lines().count());
    Files.writeString(resources.resolve(NAME + ".map"), map.json());
    System.out.println(NAME + ": " + bytes(script) + " of at most " + MOST_BYTES + " bytes");
  }

  private static Map<String, String> settings(List<String> arguments) {
    Map<String, String> settings = new HashMap<>();
    for (String argument : arguments) {
      int end = argument.indexOf('=');
      settings.put(argument.substring(0, end), argument.substring(end + 1));
    }
    return settings;
  }

  private static Path compile(Path directory) throws TeaVMToolException {
    var tool = new TeaVMTool();
    tool.setTargetType(TeaVMTargetType.JAVASCRIPT);
    tool.setTargetDirectory(directory.toFile());
    tool.setTargetFileName("compiled.js");
    tool.setMainClass("dev.syncguard.userscript.page.PowerReader");
    tool.setClassLoader(UserscriptBuild.class.getClassLoader());
    tool.setJsModuleType(JSModuleType.NONE);
    tool.setObfuscated(true);
    tool.setAssertionsRemoved(true);
    tool.setOptimizationLevel(TeaVMOptimizationLevel.ADVANCED);
    tool.setSourceMapsFileGenerated(true);
    tool.setLog(new EmptyTeaVMToolLog());
    tool.generate();
    List<Problem> problems = tool.getProblemProvider().getSevereProblems();
    if (!problems.isEmpty()) {
      var text = new StringBuilder("The browser cannot run this:");
      for (Problem problem : problems) {
        var consumer = new DefaultProblemTextConsumer();
        problem.render(consumer);
        text.append("\n  ")
            .append(consumer.getText())
            .append(" (")
            .append(problem.getLocation())
            .append(')');
      }
      throw new IllegalStateException(text.toString());
    }
    return new File(directory.toFile(), "compiled.js").toPath();
  }

  /** Returns the code with an opening or a closing parenthesis, by turns, before each of the places. */
  static String with(List<Integer> parentheses, String code) {
    var text = new StringBuilder();
    int done = 0;
    for (int i = 0; i < parentheses.size(); i++) {
      text.append(code, done, parentheses.get(i)).append(i % 2 == 0 ? '(' : ')');
      done = parentheses.get(i);
    }
    return text.append(code, done, code.length()).toString();
  }

  private static void check(String script) {
    if (CODE_FROM_TEXT.matcher(script).find()) {
      throw new IllegalStateException("The script makes code from text, which forums forbid");
    }
    if (bytes(script) > MOST_BYTES) {
      throw new IllegalStateException(NAME + " has " + bytes(script) + " bytes, but may have "
          + MOST_BYTES + ". java.time, regular expressions and String.format are what costs most");
    }
  }

  private static int bytes(String script) {
    return script.getBytes(StandardCharsets.UTF_8).length;
  }
}
