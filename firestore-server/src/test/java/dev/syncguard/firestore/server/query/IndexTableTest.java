package dev.syncguard.firestore.server.query;

import static dev.syncguard.firestore.server.query.QueryDsl.desc;
import static dev.syncguard.firestore.server.query.QueryDsl.test;
import static dev.syncguard.firestore.server.query.QueryDsl.where;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.UnknownFieldSet;
import com.google.rpc.Code;
import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.index.IndexFile;
import dev.syncguard.firestore.server.name.ParentName;
import dev.syncguard.firestore.server.value.FieldPath;
import java.io.IOException;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The documented table of which indexes a query needs in production, line by line. */
class IndexTableTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String PASTE = "firestore.indexes.json: ";
  private static final ParentName ROOT = ParentName.parse(QueryDsl.ROOT);

  @TestFactory
  Stream<DynamicTest> theTable() {
    return IndexTable.rows().stream()
        .map(row -> dynamicTest(row.name(), () -> {
          if (row.enough()) {
            assertThatCode(() -> check(row)).doesNotThrowAnyException();
          } else {
            assertThatThrownBy(() -> check(row)).isInstanceOf(FirestoreServerException.class);
          }
        }));
  }

  @TestFactory
  Stream<DynamicTest> whatTheErrorSaysToPasteIsEnough() {
    return IndexTable.rows().stream()
        .filter(row -> !row.enough())
        .map(row -> dynamicTest(row.name(), () -> {
          String file = row.file();
          for (int i = 0; i < 2; i++) { // of the table's queries none needs more than two indexes
            String given = file;
            FirestoreServerException refused =
                catchThrowableOfType(FirestoreServerException.class, () -> check(row, given));
            if (refused != null) {
              assertThat(refused.code()).isEqualTo(Code.FAILED_PRECONDITION);
              String message = String.valueOf(refused.getMessage());
              file = merge(file, message.substring(message.indexOf(PASTE) + PASTE.length()));
            }
          }
          String pasted = file;
          assertThatCode(() -> check(row, pasted)).doesNotThrowAnyException();
        }));
  }

  @Test
  void theAddressInTheErrorHoldsTheIndex() throws Exception {
    FirestoreServerException refused = catchThrowableOfType(
        FirestoreServerException.class,
        () -> check(IndexTable.missing("", where(test("x", "==", 1)).addOrderBy(desc("r")), "")));
    String message = String.valueOf(refused.getMessage());
    assertThat(message)
        .startsWith(
            "The query requires an index. You can create it here:"
                + " https://console.firebase.google.com/v1/r/project/demo/firestore/indexes?create_composite=");
    String encoded = message.substring(message.indexOf("composite=") + 10).split(" ", 2)[0];
    UnknownFieldSet index = UnknownFieldSet.parseFrom(Base64.getUrlDecoder().decode(encoded));
    assertThat(index.getField(1).getLengthDelimitedList().get(0).toStringUtf8())
        .isEqualTo("projects/demo/databases/(default)/collectionGroups/c/indexes/_");
    assertThat(index.getField(2).getVarintList()).containsExactly(1L);
    assertThat(index.getField(3).getLengthDelimitedList()).hasSize(3);
    UnknownFieldSet last =
        UnknownFieldSet.parseFrom(index.getField(3).getLengthDelimitedList().get(2));
    assertThat(last.getField(1).getLengthDelimitedList().get(0).toStringUtf8())
        .isEqualTo("__name__");
    assertThat(last.getField(2).getVarintList()).as("like the last field").containsExactly(2L);
  }

  private static void check(IndexTable.Row row) {
    check(row, row.file());
  }

  private static void check(IndexTable.Row row, String file) {
    new IndexRequirement(IndexFile.parse(file.isEmpty() ? "{}" : file))
        .check(
            Query.of(ROOT, row.query()),
            row.aggregated().stream().map(FieldPath::parse).toList());
  }

  /** Returns a file with the entries of both; of two overrides of a field the later counts. */
  private static String merge(String a, String b) throws IOException {
    ObjectNode merged = JSON.createObjectNode();
    for (String part : List.of("indexes", "fieldOverrides")) {
      ArrayNode entries = merged.putArray(part);
      for (String file : List.of(a.isEmpty() ? "{}" : a, b)) {
        JSON.readTree(file).path(part).forEach(entries::add);
      }
    }
    return merged.toString();
  }
}
