package dev.syncguard.rules.value;

import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The types of values, by the words that rules use for them. */
public enum ValueType {
  NULL,
  BOOL,
  INT,
  FLOAT,
  STRING,
  BYTES,
  TIMESTAMP,
  DURATION,
  LATLNG,
  PATH,
  LIST,
  MAP,
  SET,
  MAP_DIFF;

  private static final String NUMBER = "number";
  private static final Set<String> WORDS = words();

  public String word() {
    return name().toLowerCase(java.util.Locale.ROOT);
  }

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
