package dev.syncguard.firestore.server.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.firestore.v1.Document;
import com.google.firestore.v1.RunQueryResponse;
import com.google.firestore.v1.Value;
import dev.syncguard.firestore.server.value.Values;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What an answer is counted as, beside the text that it becomes: never shorter, and not much longer. */
class JsonLengthTest {
  private static final int MANY = 500;

  static Stream<Value> values() {
    Value text = Values.of("word ".repeat(10));
    return Stream.of(
            Values.nothing(),
            Values.of(true),
            Values.of(1),
            Values.of(Long.MIN_VALUE),
            Values.of(-Double.MIN_VALUE),
            Values.time(1),
            Values.point(-100.0 / 3, -500.0 / 3),
            Values.of(""),
            text,
            Values.of("<\u0001\"\\\u2028&='>".repeat(10)),
            Values.of("\u00e4\u6f22\ud83d\ude00"),
            Values.bytes(1, 2, 3, 4),
            Values.reference("projects/p/databases/d/documents/c/d"),
            Values.map(Map.of()),
            Values.map(Map.of("a", Values.of(1), "b", text)),
            Values.map(Map.of("array", Values.array(Values.of(1), Values.of(2)))),
            Values.vector(1, 2, 3))
        .flatMap(value -> Stream.of(array(value), deep(value, 6), deep(array(value), 15)));
  }

  private static Value array(Value value) {
    return Values.array(Collections.nCopies(MANY, value).toArray(Value[]::new));
  }

  private static Value deep(Value value, int levels) {
    return levels == 0 ? value : Values.map(Map.of("k", deep(value, levels - 1)));
  }

  @ParameterizedTest
  @MethodSource("values")
  void anAnswerIsNeverLongerThanItIsCounted(Value value) {
    Document document =
        Document.newBuilder().setName("n").putFields("field", value).build();
    RunQueryResponse found = RunQueryResponse.newBuilder().setDocument(document).build();
    for (var message : List.of(document, found)) {
      long length = Json.print(message).length();
      assertThat(JsonLength.of(message)).isBetween(length, 2 * length + 1000);
    }
  }
}
