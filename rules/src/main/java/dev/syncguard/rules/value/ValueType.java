package dev.syncguard.rules.value;

import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The types of values, by the words that rules use for them. */
public enum ValueType {
  /** The type of {@code null} alone. */
  NULL,
  /** {@code true} and {@code false}. */
  BOOL,
  /** Whole numbers of 64 bits. */
  INT,
  /** Floating-point numbers of 64 bits. */
  FLOAT,
  /** Text. */
  STRING,
  /** Bytes, as {@code b"..."} writes them. */
  BYTES,
  /** Points in time. */
  TIMESTAMP,
  /** Lengths of time. */
  DURATION,
  /** Places on the globe. */
  LATLNG,
  /** Paths of documents and collections. */
  PATH,
  /** Lists. */
  LIST,
  /** Maps from names to values. */
  MAP,
  /** Sets, which only functions of rules return. */
  SET,
  /** What {@code map.diff} returns: how one map differs from another. */
  MAP_DIFF;

  private static final String NUMBER = "number";
  private static final Set<String> WORDS = words();

  /** Returns the word for it after {@code is}. */
  public String word() {
    return name().toLowerCase(java.util.Locale.ROOT);
  }

  /** Returns whether arithmetic works on it. */
  public boolean isNumber() {
    return this == INT || this == FLOAT;
  }

  /** Returns whether a value of this type passes {@code is word}. */
  public boolean is(String word) {
    return word().equals(word) || (isNumber() && word.equals(NUMBER));
  }

  /** Returns all that may stand to the right of {@code is}. */
  public static Set<String> testable() {
    return WORDS;
  }

  private static Set<String> words() {
    Set<String> words = Arrays.stream(values())
        .filter(type -> type != NULL)
        .map(ValueType::word)
        .collect(Collectors.toCollection(TreeSet::new));
    words.add(NUMBER);
    words.add("constraint");
    return java.util.Collections.unmodifiableSet(words);
  }
}
