package dev.syncguard.cli;

import java.util.ArrayList;
import java.util.List;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;

/** Reads a file with tests of rules, in the shape of Google's test suites; JSON is YAML, too. */
final class RulesTestFile {

  private RulesTestFile() {}

  /** Says what is wrong with a file, in words for whoever wrote it. */
  static final class Unreadable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Unreadable(String message) {
      super(message);
    }
  }

  static List<RulesTestCase> parse(String text) {
    YamlNode root = new YamlNode("the file", load(text));
    YamlNode suite = root.has("testSuite") ? root.get("testSuite") : root;
    List<YamlNode> nodes = suite.get("testCases").elements();
    if (nodes.isEmpty()) {
      throw new Unreadable("There are no testCases");
    }
    List<RulesTestCase> cases = new ArrayList<>();
    for (YamlNode node : nodes) {
      cases.add(RulesTestReader.read(node, cases.size() + 1));
    }
    return cases;
  }

  private static Object load(String text) {
    LoaderOptions options = new LoaderOptions();
    options.setAllowDuplicateKeys(false);
    options.setCodePointLimit(16 * 1024 * 1024);
    try {
      Object loaded = new Yaml(new SafeConstructor(options)).load(text);
      if (loaded == null) {
        throw new Unreadable("The file is empty");
      }
      return loaded;
    } catch (MarkedYAMLException e) {
      int line = e.getProblemMark() == null ? 1 : e.getProblemMark().getLine() + 1;
      throw new Unreadable("Line " + line + ": " + e.getProblem());
    } catch (YAMLException e) {
      throw new Unreadable("This is not YAML: " + e.getMessage());
    }
  }
}
