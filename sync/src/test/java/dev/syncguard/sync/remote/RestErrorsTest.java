package dev.syncguard.sync.remote;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.syncguard.sync.Http;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RestErrorsTest {

  private static Http.Answer answer(int code, String status, String message) {
    String body = status.equals("-")
        ? "<html>no</html>"
        : "{\"error\":{\"code\":" + code + ",\"status\":\"" + status + "\",\"message\":\"" + message
            + "\"}}";
    return new Http.Answer(code, body, null);
  }

  @ParameterizedTest
  @Tag("PR-PERSIST-71")
  @Tag("PR-PERSIST-49")
  @Tag("T84")
  @Tag("T117")
  @Tag("T133")
  @Tag("T135")
  @CsvSource({
    "400, FAILED_PRECONDITION, stored version, CONFLICT, NETWORK",
    "409, FAILED_PRECONDITION, stored version, CONFLICT, NETWORK",
    "412, FAILED_PRECONDITION, x, CONFLICT, NETWORK",
    "409, ABORTED, contention, CONFLICT, NETWORK",
    "409, ALREADY_EXISTS, there, CONFLICT, NETWORK",
    "404, NOT_FOUND, gone, CONFLICT, NETWORK",
    "409, -, x, CONFLICT, NETWORK",
    "412, -, x, CONFLICT, NETWORK",
    "400, INVALID_ARGUMENT, Payload is not valid, CLIENT_ERROR, CLIENT_ERROR",
    "400, INVALID_ARGUMENT, exceeds the maximum allowed size, TOO_LARGE, NETWORK",
    "400, INVALID_ARGUMENT, too many index entries, TOO_LARGE, NETWORK",
    "400, INVALID_ARGUMENT, a property is LONGER THAN 1500 bytes, TOO_LARGE, NETWORK",
    "400, -, x, CLIENT_ERROR, CLIENT_ERROR",
    "413, -, x, TOO_LARGE, NETWORK",
    "403, PERMISSION_DENIED, no, DENIED, DENIED",
    "401, UNAUTHENTICATED, no, DENIED, DENIED",
    "403, -, x, DENIED, DENIED",
    "401, -, x, DENIED, DENIED",
    "429, RESOURCE_EXHAUSTED, no, QUOTA, QUOTA",
    "429, -, x, QUOTA, QUOTA",
    "503, RESOURCE_EXHAUSTED, no, QUOTA, QUOTA",
    "400, RESOURCE_EXHAUSTED, no, QUOTA, QUOTA",
    "403, PERMISSION_DENIED, Quota exceeded for the day, QUOTA, QUOTA",
    "500, INTERNAL, no, NETWORK, NETWORK",
    "503, UNAVAILABLE, no, NETWORK, NETWORK",
    "504, DEADLINE_EXCEEDED, no, NETWORK, NETWORK",
    "499, CANCELLED, no, NETWORK, NETWORK",
    "500, UNKNOWN, no, NETWORK, NETWORK",
    "408, -, x, NETWORK, NETWORK",
    "502, -, x, NETWORK, NETWORK",
    "404, -, x, NETWORK, NETWORK",
    "302, -, x, NETWORK, NETWORK",
    "0, -, x, NETWORK, NETWORK",
    "400, NEW_WORD, x, CLIENT_ERROR, CLIENT_ERROR",
  })
  void aRefusalMeansThis(
      int code, String status, String message, SyncFailure commit, SyncFailure read) {
    assertThat(RestErrors.ofCommit(answer(code, status, message), false)).isEqualTo(commit);
    assertThat(RestErrors.ofRead(answer(code, status, message))).isEqualTo(read);
  }

  @Test
  @Tag("PR-PERSIST-73")
  @Tag("T122")
  void onlyFirestoreItselfCanSayThatADocumentIsMissing() {
    assertThat(RestErrors.saysMissing(answer(404, "NOT_FOUND", "x"))).isTrue();
    assertThat(RestErrors.saysMissing(answer(404, "-", "x"))).isFalse();
    assertThat(RestErrors.saysMissing(answer(403, "PERMISSION_DENIED", "x"))).isFalse();
  }

  @Test
  void anErrorInAListIsReadToo() {
    Http.Answer answer = answer(409, "ABORTED", "x");
    assertThat(RestErrors.ofCommit(new Http.Answer(400, "[" + answer.body() + "]", null), false))
        .isEqualTo(SyncFailure.CONFLICT);
  }

  @Test
  @Tag("PR-PERSIST-61")
  @Tag("T132")
  void onlyOneConditionalUpdatePassesTheGuard() {
    Map<String, Object> update = Map.of("name", "n", "fields", Map.of());
    Map<String, Object> fresh = Map.of("exists", false);
    Map<String, Object> good = Map.of("update", update, "currentDocument", fresh);
    assertThatCode(() -> CommitBody.guard(Map.of("writes", List.of(good))))
        .doesNotThrowAnyException();
    assertThatCode(() -> CommitBody.guard(Map.of(
            "writes",
            List.of(Map.of("update", update, "currentDocument", Map.of("updateTime", "t"))))))
        .doesNotThrowAnyException();
    List<Map<String, Object>> wrong = List.of(
        Map.of(),
        Map.of("writes", List.of()),
        Map.of("writes", List.of(good, good)),
        Map.of("writes", List.of(good), "transaction", "t"),
        Map.of("writes", List.of(Map.of("delete", "n", "currentDocument", fresh))),
        Map.of("writes", List.of(Map.of("transform", Map.of(), "currentDocument", fresh))),
        Map.of("writes", List.of(Map.of("update", update))),
        Map.of("writes", List.of(Map.of("update", update, "currentDocument", Map.of()))),
        Map.of(
            "writes",
            List.of(Map.of("update", update, "currentDocument", Map.of("updateTime", "")))),
        Map.of(
            "writes", List.of(Map.of("update", update, "currentDocument", Map.of("exists", true)))),
        Map.of(
            "writes",
            List.of(Map.of("update", update, "currentDocument", fresh, "updateMask", Map.of()))),
        Map.of(
            "writes",
            List.of(Map.of(
                "update", update, "currentDocument", Map.of("exists", false, "updateTime", "t")))));
    assertThat(wrong)
        .allSatisfy(body -> assertThatThrownBy(() -> CommitBody.guard(body))
            .isInstanceOf(IllegalStateException.class));
  }

  @Test
  @Tag("PR-PERSIST-45")
  @Tag("PR-PERSIST-78")
  @Tag("T127")
  void aTokenIsSentAsItCame() {
    for (String token : List.of(
        "2026-01-01T00:00:04Z",
        "2026-01-01T00:00:04.120Z",
        "2026-01-01T00:00:04.035900Z",
        "2026-01-01T00:00:04.123456789Z",
        "no time at all")) {
      assertThat(CommitBody.of("n", "{}", null, token))
          .contains("\"updateTime\":\"" + token + "\"");
    }
  }
}
