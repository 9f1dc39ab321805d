package dev.syncguard.rules.query;

import dev.syncguard.rules.value.Outcome;
import dev.syncguard.rules.value.RulesValue;
import dev.syncguard.rules.value.RulesValue.ListValue;
import dev.syncguard.rules.value.Unknown;
import java.util.List;

/** The keys of a map of which only some fields are certain to be there. */
record UnknownKeys(UnknownField map) implements Unknown {
  @Override
  public String description() {
    return map.description() + ".keys()";
  }

  @Override
  public Outcome isOfType(String word) {
    return RulesValue.of(word.equals("list"));
  }

  @Override
  public Outcome contains(RulesValue element) {
    return map.contains(element).isTrue() ? RulesValue.TRUE : opaque();
  }

  @Override
  public Outcome call(String method, List<RulesValue> arguments) {
    if (arguments.size() != 1 || !(arguments.get(0) instanceof ListValue list)) {
      return opaque();
    }
    boolean certain = switch (method) {
      case "hasAny" ->
        list.elements().stream().anyMatch(key -> map.contains(key).isTrue());
      case "hasAll" ->
        list.elements().stream().allMatch(key -> map.contains(key).isTrue());
      default -> false;
    };
    return certain ? RulesValue.TRUE : opaque();
  }
}
