package dev.syncguard.rules.syntax;

/** One segment of the path of a match. */
public sealed interface PatternSegment {
  /** Matches just this segment. */
  record Exactly(String text) implements PatternSegment {}

  /** <code>{name}</code>: matches one segment. */
  record One(String name) implements PatternSegment {}

  /** <code>{name=**}</code>: matches the rest, or any number of segments. */
  record Many(String name) implements PatternSegment {}
}
