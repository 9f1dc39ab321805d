package dev.syncguard.firestore.server.validity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.google.rpc.Code;
import dev.syncguard.firestore.server.validity.ValidityServer.Answer;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Each row of the table is sent to a server, which answers as Firestore does, status, HTTP code and words. */
class ValidityTableTest {
  private static ValidityServer server;

  @BeforeAll
  static void start() throws Exception {
    server = new ValidityServer();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @TestFactory
  Stream<DynamicTest> theTable() {
    return ValidityTable.sections().values().stream()
        .flatMap(List::stream)
        .map(row -> dynamicTest(row.name(), () -> check(row)));
  }

  @Test
  void noTwoRowsOfASectionHaveTheSameName() {
    ValidityTable.sections()
        .forEach(
            (section, rows) -> assertThat(rows.stream().map(ValidityRow::name).toList())
                .as(section)
                .doesNotHaveDuplicates());
  }

  private static void check(ValidityRow row) throws Exception {
    Answer answer = server.ask(row);
    assertThat(answer.status()).as(answer.toString()).isEqualTo(row.status());
    assertThat(answer.http()).isEqualTo(http(row.status()));
    if (row.status() == Code.OK && !row.words().isEmpty()) {
      assertThat(answer.words()).isEqualTo(row.words());
    } else {
      assertThat(answer.words()).startsWith(row.words());
    }
  }

  private static int http(Code status) {
    return switch (status) {
      case OK -> 200;
      case INVALID_ARGUMENT, FAILED_PRECONDITION -> 400;
      case NOT_FOUND -> 404;
      case ALREADY_EXISTS, ABORTED -> 409;
      default -> throw new IllegalArgumentException("No row has " + status);
    };
  }
}
