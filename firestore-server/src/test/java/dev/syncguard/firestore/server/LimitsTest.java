package dev.syncguard.firestore.server;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.firestore.v1.ArrayValue;
import com.google.firestore.v1.Document;
import com.google.firestore.v1.DocumentMask;
import com.google.firestore.v1.DocumentTransform.FieldTransform;
import com.google.firestore.v1.Value;
import com.google.firestore.v1.Write;
import com.google.rpc.Code;
import dev.syncguard.firestore.server.name.DatabaseName;
import dev.syncguard.firestore.server.name.DocumentName;
import dev.syncguard.firestore.server.value.Values;
import dev.syncguard.firestore.server.write.PlannedWrite;
import dev.syncguard.firestore.server.write.SizeLimits;
import dev.syncguard.firestore.server.write.WritePlanner;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The published limits, each at its edge and one step beyond. */
class LimitsTest {
  private static final DatabaseName NAME = new DatabaseName("p", "d");

  @ParameterizedTest
  @ValueSource(
      strings = {"c/.", "c/..", "c/__x__", "__x__/d", "c", "c/d/e", "c//d", "", "c/", "./d"})
  void namesThatAreReservedOrBrokenAreRefused(String path) {
    refused(path, Map.of());
  }

  @Test
  void idsMayHaveFifteenHundredBytesAndNumbers() {
    accepted("c/" + "x".repeat(1500), Map.of());
    refused("c/" + "x".repeat(1501), Map.of());
    refused("c/" + "é".repeat(751), Map.of());
    accepted("c/__id7__", Map.of());
  }

  @Test
  void pathsMayLieAHundredCollectionsDeep() {
    accepted("c/d" + "/c/d".repeat(99), Map.of());
    refused("c/d" + "/c/d".repeat(100), Map.of());
  }

  @Test
  void mapsAndArraysMayBeNestedTwentyDeep() {
    accepted("c/d", Map.of("f", nested(20)));
    refused("c/d", Map.of("f", nested(21)));
    refused("c/d", Map.of("f", Values.array(Values.array())));
  }

  @Test
  void fieldNamesAreBoundedAndSomeAreReserved() {
    accepted("c/d", Map.of("x".repeat(1500), Values.of(1L)));
    refused("c/d", Map.of("x".repeat(1501), Values.of(1L)));
    refused("c/d", Map.of("", Values.of(1L)));
    refused("c/d", Map.of("__x__", Values.of(1L)));
  }

  @Test
  void aDocumentMayHaveOneMebibyte() {
    // 32 for the document, 16 and one per id with its end for the name, 2 for the field and 1 for
    // the string's end.
    int room = (1 << 20) - 32 - 16 - 4 - 2 - 1;
    accepted("c/d", Map.of("f", Values.of("x".repeat(1_048_487))));
    refused("c/d", Map.of("f", Values.of("x".repeat(1_048_488))));
    refused(
        "c/d",
        Map.of(
            "f", Values.of("x".repeat(room - 1_000_000)), "g", Values.of("x".repeat(1_000_000))));
    accepted(
        "c/d",
        Map.of(
            "f", Values.of("x".repeat(room - 1_000_003)), "g", Values.of("x".repeat(1_000_000))));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theSizeOfADocumentIsTheSameLimitForUpdatesAndForWhatTheyMakeOfADocument(boolean large) {
    SizeLimits limits = large ? SizeLimits.LARGE : SizeLimits.STANDARD;
    WritePlanner planner = new WritePlanner(NAME, limits);
    int most = (large ? 16 : 1) * 1_048_576;
    // 16 and one per id with its end for the name, 32 for the document, 2 for each field and 1 for
    // a string's end.
    String half = "x".repeat(most / 2 - 16 - 4 - 32 - 2 - 1);
    Document present =
        Objects.requireNonNull(planner.plan(write("f", half)).apply(null, 1).after());
    String rest = "x".repeat(most / 2 - 2 - 1);
    Assertions.assertThatCode(() -> planner.plan(merge("g", rest)).apply(present, 2))
        .doesNotThrowAnyException();
    PlannedWrite tooMuch = planner.plan(merge("g", rest + "x"));
    assertThatThrownBy(() -> tooMuch.apply(present, 2)).satisfies(LimitsTest::isInvalid);
    Assertions.assertThatCode(() -> planner.plan(write("f", "x".repeat(most - 89))))
        .doesNotThrowAnyException();
    Write tooLong = write("f", "x".repeat(most - 88));
    assertThatThrownBy(() -> planner.plan(tooLong)).satisfies(LimitsTest::isInvalid);
  }

  private static void isInvalid(Throwable refusal) {
    Assertions.assertThat(refusal)
        .isInstanceOfSatisfying(
            FirestoreServerException.class,
            e -> Assertions.assertThat(e.code()).isEqualTo(Code.INVALID_ARGUMENT));
  }

  private static Write write(String field, String text) {
    return Write.newBuilder()
        .setUpdate(Document.newBuilder()
            .setName(NAME.documents() + "/c/d")
            .putFields(field, Values.of(text)))
        .build();
  }

  private static Write merge(String field, String text) {
    return write(field, text).toBuilder()
        .setUpdateMask(DocumentMask.newBuilder().addFieldPaths(field))
        .build();
  }

  @Test
  void vectorsMayHaveTwoThousandAndFortyEightDimensions() {
    accepted("c/d", Map.of("v", Values.vector(new double[2048])));
    refused("c/d", Map.of("v", Values.vector(new double[2049])));
  }

  @Test
  void timesAndPlacesMustExist() {
    refused("c/d", Map.of("t", Values.time(253_402_300_800_000_000L)));
    refused("c/d", Map.of("g", Values.point(90.1, 0)));
    refused("c/d", Map.of("g", Values.point(Double.NaN, 0)));
    refused("c/d", Map.of("r", Values.reference("nonsense")));
  }

  @Test
  void databasesMayBeCalledLikeThePartsOfAName() {
    DocumentName name =
        DocumentName.parse("projects/documents-1/databases/documents/documents/documents/d");
    Assertions.assertThat(name.database()).isEqualTo(new DatabaseName("documents-1", "documents"));
    Assertions.assertThat(name.path()).isEqualTo("documents/d");
    assertThatThrownBy(() -> DocumentName.parse("projects/p/databases/d/c/d/documents/d"))
        .isInstanceOf(FirestoreServerException.class);
  }

  @Test
  void whatATransformBringsObeysTheLimitsOfTheFieldItIsFor() {
    FieldTransform.Builder append = FieldTransform.newBuilder()
        .setAppendMissingElements(ArrayValue.newBuilder().addValues(Values.map(Map.of())));
    String deep = "a" + ".a".repeat(18);
    Assertions.assertThatCode(() -> plan(transform(append.setFieldPath(deep), 1)))
        .doesNotThrowAnyException();
    refused(transform(append.setFieldPath(deep + ".a"), 1));
  }

  @Test
  void aTransformStoresNoNegativeZero() {
    for (FieldTransform.Builder transform : List.of(
        FieldTransform.newBuilder().setIncrement(Values.of(-0.0)),
        FieldTransform.newBuilder().setMaximum(Values.of(-0.0)),
        FieldTransform.newBuilder().setMinimum(Values.of(-0.0)))) {
      Write write = transform(transform.setFieldPath("n"), 1);
      Document stored = Objects.requireNonNull(
          new WritePlanner(NAME).plan(write).apply(null, 1).after());
      Assertions.assertThat(stored.getFieldsOrThrow("n")).isEqualTo(Values.of(0.0));
    }
  }

  @Test
  void aCommitMayTransformFiveHundredFieldsOfADocument() {
    FieldTransform.Builder increment =
        FieldTransform.newBuilder().setFieldPath("n").setIncrement(Values.of(1L));
    Assertions.assertThatCode(() -> plan(transform(increment, 250), transform(increment, 250)))
        .doesNotThrowAnyException();
    refused(transform(increment, 501));
    refused(transform(increment, 250), transform(increment, 251));
  }

  private static Write transform(FieldTransform.Builder transform, int times) {
    return Write.newBuilder()
        .setUpdate(Document.newBuilder().setName(NAME.documents() + "/c/d"))
        .addAllUpdateTransforms(Collections.nCopies(times, transform.build()))
        .build();
  }

  private static void refused(Write... writes) {
    assertThatThrownBy(() -> plan(writes))
        .isInstanceOfSatisfying(
            FirestoreServerException.class,
            e -> Assertions.assertThat(e.code()).isEqualTo(Code.INVALID_ARGUMENT));
  }

  private static void plan(Write... writes) {
    new WritePlanner(NAME).plan(List.of(writes));
  }

  private static Value nested(int depth) {
    Value value = Values.of(1L);
    for (int i = 0; i < depth; i++) {
      value = Values.map(Map.of("m", value));
    }
    return value;
  }

  private static void accepted(String path, Map<String, Value> fields) {
    Assertions.assertThatCode(() -> plan(path, fields)).doesNotThrowAnyException();
  }

  private static void refused(String path, Map<String, Value> fields) {
    assertThatThrownBy(() -> plan(path, fields))
        .isInstanceOfSatisfying(
            FirestoreServerException.class,
            e -> Assertions.assertThat(e.code()).isEqualTo(Code.INVALID_ARGUMENT));
  }

  private static void plan(String path, Map<String, Value> fields) {
    new WritePlanner(NAME)
        .plan(Write.newBuilder()
            .setUpdate(
                Document.newBuilder().setName(NAME.documents() + "/" + path).putAllFields(fields))
            .build());
  }
}
