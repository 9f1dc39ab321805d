package dev.syncguard.firestore.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.firestore.v1.Value;
import dev.syncguard.firestore.server.query.NaiveOrder;
import dev.syncguard.firestore.server.store.IndexKeys.Sorted;
import dev.syncguard.firestore.server.value.Values;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The bytes of keys sort as a comparison that knows nothing of them, and lead back to what they were written from. */
class KeyOrderTest {
  private static final byte[] INDEX = {1};
  private final Random random = new Random(7);

  @Test
  void valuesSortAsTheModelSaysWhateverFollowsThem() {
    List<Value> values = new ArrayList<>(notable());
    for (int i = 0; i < 300; i++) {
      values.add(value(2));
    }
    for (Value a : values) {
      for (Value b : values) {
        int expected = Integer.signum(NaiveOrder.compare(a, b));
        for (boolean inverted : new boolean[] {false, true}) {
          int actual = compare(key(a, inverted, "a"), key(b, inverted, "b"));
          int byName = -1;
          assertThat(actual)
              .as("%s and %s, inverted: %s", a, b, inverted)
              .isEqualTo(expected == 0 ? byName : inverted ? -expected : expected);
        }
      }
    }
  }

  @Test
  void everyLongAndDoubleIsWhereItsExactNumberIs() {
    List<Value> numbers = new ArrayList<>();
    for (long base : new long[] {0, 1L << 52, 1L << 53, 1L << 54, 1L << 62, Long.MAX_VALUE}) {
      for (long step = -3; step <= 3; step++) {
        for (long value : new long[] {base + step, -base + step}) {
          numbers.add(Values.of(value));
          numbers.add(Values.of((double) value));
          numbers.add(Values.of(Math.nextUp((double) value)));
          numbers.add(Values.of(Math.nextDown((double) value)));
        }
      }
    }
    for (Value a : numbers) {
      for (Value b : numbers) {
        assertThat(compare(key(a, false, "a"), key(b, false, "a")))
            .as("%s and %s", a, b)
            .isEqualTo(exact(a).compareTo(exact(b)));
      }
    }
  }

  @Test
  void aScanOfOneValueHoldsItsKeysAndNoOthers() {
    Scope scope = new Scope.OneCollection("c");
    for (Value wanted : notable()) {
      IndexRange only = IndexRange.only(wanted);
      for (boolean inverted : new boolean[] {false, true}) {
        byte[] from = IndexKeys.bound(
            scope, INDEX, List.of(), inverted ? only.to() : only.from(), null, inverted, false);
        byte[] before = IndexKeys.bound(
            scope, INDEX, List.of(), inverted ? only.from() : only.to(), null, inverted, true);
        for (Value other : notable()) {
          byte[] key = key(other, inverted, "\uD83D\uDE00");
          boolean within =
              Arrays.compareUnsigned(from, key) <= 0 && Arrays.compareUnsigned(key, before) < 0;
          assertThat(within)
              .as("%s among %s, inverted: %s", other, wanted, inverted)
              .isEqualTo(NaiveOrder.compare(other, wanted) == 0);
        }
      }
    }
  }

  @Test
  void pathsSortSegmentBySegmentAndCanBeReadBack() {
    List<String> ids = List.of(
        "__id-9__",
        "__id7__",
        "__id10__",
        "A",
        "a",
        "a\0",
        "a\0b",
        "a b",
        "ab",
        "\uFFFD",
        "\uD83D\uDE00");
    List<String> paths = new ArrayList<>();
    for (String collection : ids) {
      for (String id : ids) {
        paths.add(collection + "/" + id);
        paths.add("c/" + collection + "/a/" + id);
      }
    }
    for (String path : paths) {
      assertThat(Keys.documentPath(Keys.document(path))).isEqualTo(path);
      assertThat(Keys.historyPath(Keys.history(-5, path))).isEqualTo(path);
      assertThat(Keys.historyMicros(Keys.history(-5, path))).isEqualTo(-5);
    }
    List<String> sorted = new ArrayList<>(paths);
    Collections.shuffle(sorted, random);
    sorted.sort(Comparator.comparing(path -> Keys.name("c", path), Arrays::compareUnsigned));
    for (int i = 1; i < sorted.size(); i++) {
      assertThat(NaiveOrder.names(sorted.get(i - 1), sorted.get(i)))
          .as("%s before %s", sorted.get(i - 1), sorted.get(i))
          .isNotPositive();
    }
  }

  private static byte[] key(Value value, boolean inverted, String id) {
    Scope scope = new Scope.OneCollection("c");
    KeyWriter out = new KeyWriter()
        .put(scope.indexes())
        .put(IndexKeys.middle(INDEX, List.of(new Sorted(value, inverted))).bytes());
    scope.writeKey(id, out);
    return out.toBytes();
  }

  private static int compare(byte[] a, byte[] b) {
    return Integer.signum(Arrays.compareUnsigned(a, b));
  }

  private static BigDecimal exact(Value number) {
    return number.hasIntegerValue()
        ? BigDecimal.valueOf(number.getIntegerValue())
        : new BigDecimal(number.getDoubleValue());
  }

  private static List<Value> notable() {
    return List.of(
        Values.nothing(),
        Values.of(false),
        Values.of(true),
        Values.of(Double.NaN),
        Values.of(Double.NEGATIVE_INFINITY),
        Values.of(Long.MIN_VALUE),
        Values.of(-0.0),
        Values.of(0L),
        Values.of(Double.MIN_VALUE),
        Values.of(Long.MAX_VALUE),
        Values.of(0x1p63),
        Values.of(Double.POSITIVE_INFINITY),
        Values.time(-5),
        Values.time(5),
        Values.of(""),
        Values.of("\0"),
        Values.of("a"),
        Values.of("a\0"),
        Values.of("a\0\0"),
        Values.of("a\u0001"),
        Values.of("a\uFFFF"),
        Values.of("a\uD83D\uDE00"),
        Values.bytes(),
        Values.bytes(0),
        Values.bytes(0, 255),
        Values.bytes(255),
        Values.reference("projects/p/databases/d/documents/c/a"),
        Values.reference("projects/p/databases/d/documents/c/a/c/a"),
        Values.reference("projects/p/databases/d/documents/c/a\0"),
        Values.reference("projects/p/databases/d/documents/c/__id9__"),
        Values.point(1, 2),
        Values.point(-1, 2),
        Values.array(),
        Values.array(Values.nothing()),
        Values.array(Values.of("a"), Values.nothing()),
        Values.array(Values.of("a\0")),
        Values.vector(1, 2),
        Values.vector(9),
        Values.map(Map.of()),
        Values.map(Map.of("a", Values.nothing())),
        Values.map(Map.of("a", Values.nothing(), "b", Values.of(1L))),
        Values.map(Map.of("a\0", Values.nothing())));
  }

  private Value value(int depth) {
    return switch (random.nextInt(depth > 0 ? 11 : 8)) {
      case 0 -> Values.of((long) random.nextInt(3));
      case 1 -> Values.of(random.nextInt(5) / 2.0 - 1);
      case 2 -> Values.of(text());
      case 3 -> Values.bytes(random.nextInt(2), random.nextInt(2) * 255);
      case 4 -> Values.time(random.nextInt(3));
      case 5 -> Values.point(random.nextInt(3) - 1, random.nextInt(3) - 1);
      case 6 -> Values.of(random.nextLong());
      case 7 -> Values.of(random.nextBoolean());
      case 8 -> Values.array(many(depth));
      case 9 -> Values.vector(random.nextInt(2), random.nextInt(2));
      default -> {
        Map<String, Value> fields = new TreeMap<>();
        for (Value value : many(depth)) {
          fields.put(text(), value);
        }
        yield Values.map(fields);
      }
    };
  }

  private Value[] many(int depth) {
    return random
        .ints(random.nextInt(3), 0, 1)
        .mapToObj(i -> value(depth - 1))
        .toArray(Value[]::new);
  }

  private String text() {
    List<String> letters = List.of("a", "b", "\0", "\uFFFD", "\uD83D\uDE00");
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(4); i > 0; i--) {
      text.append(letters.get(random.nextInt(letters.size())));
    }
    return text.toString();
  }
}
