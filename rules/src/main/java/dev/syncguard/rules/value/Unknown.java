package dev.syncguard.rules.value;

import java.util.List;

/**
 * A value that differs from document to document, of which only some things are certain. Every question is answered for all
 * documents that a query could find: with a value if it is the same for all, else with something unknown.
 */
public non-sealed interface Unknown extends Outcome {
  /** Returns the expression that is not known, as rules would write it. */
  String description();

  /** Returns whether it has that type. */
  default Outcome isOfType(String word) {
    return opaque();
  }

  /** Returns what it has under that name. */
  default Outcome member(String name) {
    return new Anything(description() + "." + name);
  }

  /** Returns whether it is a list or set with that element, or a map with that key. */
  default Outcome contains(RulesValue element) {
    return opaque();
  }

  /** Returns whether it relates to the other value in that way. */
  default Outcome compare(Comparison comparison, RulesValue other) {
    return opaque();
  }

  /** Returns what a method of it returns. */
  default Outcome call(String method, List<RulesValue> arguments) {
    return opaque();
  }

  /** Returns what comes out of an operation on this, of which nothing is certain although something is about this. */
  default Unknown opaque() {
    return new Anything(description());
  }

  /** Something of which nothing is certain, not even that it exists. */
  record Anything(String description) implements Unknown {}
}
