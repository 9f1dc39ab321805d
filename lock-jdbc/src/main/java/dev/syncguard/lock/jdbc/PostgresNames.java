package dev.syncguard.lock.jdbc;

import dev.syncguard.lock.LockException;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What our tables and functions are called in a database. Names are plain words, and always quoted.
 *
 * @param schema where they are, or empty for the first place on the search path
 * @param locks the table of locks
 * @param fences the table of fence counters
 */
record PostgresNames(Optional<String> schema, String locks, String fences) {

  /** Part of every function's name, so that programs with other versions of the functions can share a database. */
  private static final String VERSION = "v4";

  private static final Pattern WORD = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,62}");

  /** PostgreSQL cuts names after 63 characters without a word, and index and function names are longer than ours. */
  private static final int LONGEST_LOCKS = 63 - "_v2_first_in_line".length();

  static final PostgresNames STANDARD =
      new PostgresNames(Optional.empty(), "syncguard_locks", "syncguard_fence_counters");

  PostgresNames {
    schema.ifPresent(name -> require(WORD.matcher(name).matches(), "A schema name"));
    require(WORD.matcher(locks).matches() && locks.length() <= LONGEST_LOCKS, "A lock table name");
    require(WORD.matcher(fences).matches(), "A fence table name");
    Set<String> folded = Stream.of(locks, fences, locks + "_waiters", locks + "_notes")
        .map(name -> name.toLowerCase(Locale.ROOT))
        .collect(Collectors.toSet());
    if (folded.size() < 4) {
      throw LockException.invalidArgument(
          "The tables of locks, of fences, of waiters and of notes (the last two named like that of"
              + " locks, with _waiters and _notes at the end) need four names that differ in more"
              + " than case");
    }
  }

  private static void require(boolean valid, String what) {
    if (!valid) {
      throw LockException.invalidArgument(
          what + " consists of letters, digits and _, does not begin with a digit, and is at most "
              + (what.contains("lock") ? LONGEST_LOCKS : 63) + " characters long");
    }
  }

  String locksTable() {
    return qualified(locks);
  }

  String fencesTable() {
    return qualified(fences);
  }

  String waitersTable() {
    return qualified(waiters());
  }

  String waiters() {
    return locks + "_waiters";
  }

  String notesTable() {
    return qualified(notes());
  }

  String notes() {
    return locks + "_notes";
  }

  /** Returns the name of an index as the TypeScript library would call it, never qualified. */
  String index(String column) {
    return quoted("idx_" + locks + "_" + column);
  }

  String function(String operation) {
    return qualified(functionName(operation));
  }

  String functionName(String operation) {
    return locks + "_" + VERSION + "_" + operation;
  }

  private String qualified(String name) {
    return schema.map(place -> quoted(place) + "." + quoted(name)).orElse(quoted(name));
  }

  static String quoted(String word) {
    return '"' + word + '"';
  }
}
