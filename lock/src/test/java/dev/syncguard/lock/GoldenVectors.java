package dev.syncguard.lock;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** Reads what the TypeScript library was seen to do. */
public final class GoldenVectors {

  private static final JsonNode ROOT = read();

  private GoldenVectors() {}

  private static JsonNode read() {
    try {
      return new ObjectMapper()
          .readTree(Path.of("..", "vectors", "syncguard-vectors.json").toFile());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the cases of a section such as {@code hashKey} or {@code lockIdEncoding/cases}; never none. */
  public static List<JsonNode> cases(String section) {
    JsonNode found = ROOT.at("/" + section);
    List<JsonNode> cases = StreamSupport.stream(found.spliterator(), false).toList();
    if (cases.isEmpty()) {
      throw new IllegalStateException("No vectors in section " + section);
    }
    return cases;
  }

  /** Returns a string as {@link #text} does, or null where no value was given. */
  public static @Nullable String textOrNull(JsonNode node) {
    return node.isNull() ? null : text(node);
  }

  /** Returns a string, which may be spelled as UTF-16 code units. */
  public static String text(JsonNode node) {
    if (node.isTextual()) {
      return node.asText();
    }
    String hex = node.get("u16").asText();
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < hex.length(); i += 4) {
      text.append((char) Integer.parseInt(hex.substring(i, i + 4), 16));
    }
    return text.toString();
  }

  /** Returns whether our stricter rule (D3) refuses what the reference takes: NUL and half surrogate pairs. */
  public static boolean isRefusedByUs(String text) {
    return text.indexOf('\0') >= 0
        || text.codePoints()
            .anyMatch(c -> c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE);
  }
}
