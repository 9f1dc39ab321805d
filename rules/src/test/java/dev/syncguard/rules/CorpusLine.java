package dev.syncguard.rules;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** One case of a corpus: what is expected, what is put in, and why. */
record CorpusLine(String file, int number, boolean allowed, List<String> inputs, String reason) {

  /** Reads the cases of a file: {@code verdict | inputs… | reason}, with comments and empty lines between them. */
  static List<CorpusLine> read(String file, int inputs) {
    try (InputStream in =
        Objects.requireNonNull(CorpusLine.class.getResourceAsStream("/rules/" + file), file)) {
      List<String> lines =
          new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
      List<CorpusLine> cases = new ArrayList<>();
      for (int i = 0; i < lines.size(); i++) {
        if (!lines.get(i).isBlank() && !lines.get(i).startsWith("#")) {
          cases.add(parse(file, i + 1, lines.get(i), inputs));
        }
      }
      return cases;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static CorpusLine parse(String file, int number, String line, int inputs) {
    List<String> parts =
        Arrays.stream(line.split(" \\| ", -1)).map(String::strip).toList();
    if (parts.size() != inputs + 2 || parts.get(inputs + 1).isEmpty()) {
      throw new IllegalArgumentException(file + ":" + number + " has the wrong number of parts");
    }
    boolean allowed = switch (parts.get(0)) {
      case "allow" -> true;
      case "deny" -> false;
      default -> throw new IllegalArgumentException(file + ":" + number + " has no verdict");
    };
    return new CorpusLine(
        file, number, allowed, parts.subList(1, inputs + 1), parts.get(inputs + 1));
  }

  String input(int index) {
    return inputs.get(index);
  }

  @Override
  public String toString() {
    return file + ":" + number + " " + String.join(" | ", inputs) + " (" + reason + ")";
  }
}
