package dev.syncguard.firestore.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.firestore.v1.ArrayValue;
import com.google.firestore.v1.Document;
import com.google.firestore.v1.Value;
import com.google.firestore.v1.Write;
import dev.syncguard.firestore.server.name.DatabaseName;
import dev.syncguard.firestore.server.value.FieldPath;
import dev.syncguard.firestore.server.value.Values;
import dev.syncguard.firestore.server.write.WritePlanner;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The indexes take a vector as one value. */
class VectorIndexTest {
  private static final DatabaseName NAME = new DatabaseName("p", "d");
  private final Database database = new Database(
      NAME,
      Journal.NONE,
      InstantSource.system(),
      IndexPolicy.EVERYTHING,
      Database.HistoryLimits.DEFAULT);

  @Test
  void twentyVectorsOfTwoThousandDimensionsAreFewIndexEntries() {
    Document.Builder document = document();
    for (int i = 0; i < 20; i++) {
      document.putFields("v" + i, vector(2_000));
    }
    commit(document);
    assertThat(found(FieldPath.of("v3"), vector(2_000))).isEqualTo(1);
    assertThat(found(FieldPath.of("v3"), vector(1_999))).isZero();
  }

  @Test
  void aVectorTakesLittleMoreThanItsNumbers() {
    commit(document().putFields("v", vector(768)));
    assertThat(storedBytes()).isBetween(768L * Double.BYTES, 768L * Double.BYTES * 3 / 2);
  }

  @Test
  void whatLooksLikeAVectorButIsAMapIsIndexedFieldByField() {
    commit(document().putFields("m", Values.map(Map.of("value", Values.of(3L)))));
    assertThat(found(FieldPath.parse("m.value"), Values.of(3L))).isEqualTo(1);
  }

  @Test
  void anArrayOfTooManyElementsIsStillRefused() {
    ArrayValue.Builder elements = ArrayValue.newBuilder();
    for (int i = 0; i < 40_000; i++) {
      elements.addValues(Values.of(i + 0.5));
    }
    assertThatThrownBy(() -> commit(
            document().putFields("a", Value.newBuilder().setArrayValue(elements).build())))
        .hasMessageContaining("too many index entries");
  }

  private int found(FieldPath field, Value value) {
    return database.read(snapshot -> {
      int count = 0;
      var scan = Objects.requireNonNull(snapshot.collection("c"))
          .byValue(field, IndexRange.only(value), false);
      while (scan.hasNext()) {
        scan.next();
        count++;
      }
      return count;
    });
  }

  private long storedBytes() {
    return database.read(snapshot -> {
      long bytes = 0;
      Entries all = snapshot.entries(new byte[] {0}, new byte[] {(byte) 0xFF}, false);
      for (; !all.isOver(); all.advance()) {
        bytes += all.key().length + all.value().length;
      }
      return bytes;
    });
  }

  private static Document.Builder document() {
    return Document.newBuilder().setName(NAME.documents() + "/c/d");
  }

  private void commit(Document.Builder document) {
    Write write = Write.newBuilder().setUpdate(document).build();
    database.commit(new WritePlanner(NAME).plan(List.of(write)), CommitGate.OPEN);
  }

  private static Value vector(int dimensions) {
    ArrayValue.Builder elements = ArrayValue.newBuilder();
    for (int i = 0; i < dimensions; i++) {
      elements.addValues(Values.of(i + 0.5));
    }
    return Values.map(Map.of(
        "__type__",
        Values.of("__vector__"),
        "value",
        Value.newBuilder().setArrayValue(elements).build()));
  }
}
