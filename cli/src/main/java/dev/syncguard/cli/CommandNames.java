package dev.syncguard.cli;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** Finds the word on a command line that should be the name of a command but is none. */
final class CommandNames {

  private CommandNames() {}

  /** A word where a command was expected, which is not repeated because it may be a key. */
  record Unknown(String parent, Optional<String> meant) {

    String message() {
      return "There is no such command; "
          + meant.map(name -> "did you mean " + name + "? See ").orElse("see ") + parent
          + " --help";
    }
  }

  /** Returns the first wrong command, also if help is asked for, which the parser would rather give. */
  static Optional<Unknown> findUnknown(CommandLine root, String... args) {
    CommandLine at = root;
    for (int i = 0; i < args.length && !at.getSubcommands().isEmpty(); i++) {
      if (args[i].startsWith("-")) {
        OptionSpec option = at.getCommandSpec().findOption(args[i].split("=", 2)[0]);
        boolean valueFollows = option != null
            && !args[i].contains("=")
            && (option.arity().min() > 0 || (option.arity().max() > 0 && isValue(at, args, i + 1)));
        i += valueFollows ? 1 : 0;
        continue;
      }
      CommandLine next = at.getSubcommands().get(args[i]);
      if (next == null) {
        return Optional.of(new Unknown(
            at.getCommandSpec().qualifiedName(),
            similar(args[i], at.getSubcommands().keySet())));
      }
      at = next;
    }
    return Optional.empty();
  }

  /** Returns whether a word belongs to an option before it that may have a value or not. */
  private static boolean isValue(CommandLine at, String[] args, int index) {
    return index < args.length
        && !args[index].startsWith("-")
        && !at.getSubcommands().containsKey(args[index]);
  }

  /** Returns the only name that begins like the word or that one or two slips turn into it. */
  static Optional<String> similar(String word, Collection<String> names) {
    int slips = word.length() < 5 ? 1 : 2;
    List<String> near = names.stream()
        .filter(
            name -> (word.length() > 1 && name.startsWith(word)) || distance(word, name) <= slips)
        .toList();
    return near.size() == 1 ? Optional.of(near.get(0)) : Optional.empty();
  }

  /** Counts the letters to insert, to delete and to replace, and neighbours to swap. */
  private static int distance(String a, String b) {
    int[][] edits = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        edits[i][j] = i == 0 || j == 0 ? i + j : cheapest(a, b, i, j, edits);
      }
    }
    return edits[a.length()][b.length()];
  }

  private static int cheapest(String a, String b, int i, int j, int[][] edits) {
    boolean same = a.charAt(i - 1) == b.charAt(j - 1);
    int least = Math.min(
        edits[i - 1][j - 1] + (same ? 0 : 1), 1 + Math.min(edits[i - 1][j], edits[i][j - 1]));
    boolean swapped =
        i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
    return swapped ? Math.min(least, 1 + edits[i - 2][j - 2]) : least;
  }
}
