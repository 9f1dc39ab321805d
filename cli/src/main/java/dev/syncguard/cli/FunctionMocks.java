package dev.syncguard.cli;

import dev.syncguard.rules.evaluation.RulesLookup;
import dev.syncguard.rules.value.RulesValue;
import dev.syncguard.rules.value.RulesValue.MapValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The documents that a test pretends to be there, by what {@code get} and {@code exists} are to answer. */
final class FunctionMocks implements RulesLookup {

  /** What one function answers for one path, or for any if there is none. */
  private record Mock(boolean after, Optional<String> path, Optional<MapValue> document) {}

  private final List<Mock> mocks;

  private FunctionMocks(List<Mock> mocks) {
    this.mocks = mocks;
  }

  static FunctionMocks read(List<YamlNode> nodes) {
    List<Mock> mocks = new ArrayList<>();
    nodes.forEach(node -> mocks.add(mock(node)));
    return new FunctionMocks(mocks);
  }

  private static Mock mock(YamlNode node) {
    String function = node.get("function").text();
    boolean exists = function.startsWith("exists");
    if (!List.of("get", "getAfter", "exists", "existsAfter").contains(function)) {
      throw node.wrong("must mock get, getAfter, exists or existsAfter");
    }
    List<YamlNode> arguments = node.get("args").elements();
    if (arguments.size() != 1) {
      throw node.wrong("must have one argument");
    }
    YamlNode result = node.get("result");
    Optional<String> path = arguments.get(0).has("exactValue")
        ? Optional.of(String.join("/", RulesTestReader.ids(arguments.get(0).get("exactValue"))))
        : Optional.empty();
    return new Mock(function.endsWith("After"), path, exists ? existing(result) : document(result));
  }

  private static Optional<MapValue> existing(YamlNode result) {
    return result.has("value") && result.get("value").rulesValue() == RulesValue.TRUE
        ? Optional.of(RulesValue.map(Map.of()))
        : Optional.empty();
  }

  private static Optional<MapValue> document(YamlNode result) {
    if (!result.has("value")) {
      return Optional.empty();
    }
    YamlNode value = result.get("value");
    return Optional.of(value.has("data") ? value.get("data").fields() : RulesValue.map(Map.of()));
  }

  @Override
  public Optional<MapValue> before(String path) {
    return find(path, false);
  }

  @Override
  public Optional<MapValue> after(String path) {
    return find(path, true);
  }

  private Optional<MapValue> find(String path, boolean after) {
    return mocks.stream()
        .filter(mock -> mock.after() == after && mock.path().map(path::equals).orElse(true))
        .findFirst()
        .flatMap(Mock::document);
  }
}
