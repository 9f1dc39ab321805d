package dev.syncguard.firestore.server.webchannel;

import static dev.syncguard.firestore.server.webchannel.ChannelClient.DATABASE;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.FirestoreOptions;
import dev.syncguard.firestore.server.FirestoreServer;
import dev.syncguard.firestore.server.webchannel.ChannelClient.Array;
import dev.syncguard.firestore.server.webchannel.ChannelClient.Poll;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The protocol, request by request, as its clients need it. */
@Timeout(120)
class WebChannelTest {
  private FirestoreServer server;
  private Firestore firestore;

  @BeforeEach
  void start() {
    server = FirestoreServer.builder().start();
    firestore = FirestoreOptions.newBuilder()
        .setProjectId("p")
        .setEmulatorHost(server.emulatorHost())
        .build()
        .getService();
  }

  @AfterEach
  void stop() throws Exception {
    firestore.close();
    server.close();
  }

  @Test
  void aSessionBeginsWithOneFrameAndNothingElse() throws Exception {
    HttpResponse<String> one = listen().handshake("", add(2, "c"));
    HttpResponse<String> two = listen().handshake("", add(2, "c"));
    assertThat(one.body())
        .matches("50\\n\\[\\[0,\\[\"c\",\"[A-Za-z0-9_-]{22}\",\"\",8,12,30000]]]");
    assertThat(one.body()).isNotEqualTo(two.body());
    assertThat(one.headers().firstValue("content-type")).contains("text/plain; charset=utf-8");
    assertThat(one.headers().firstValue("x-content-type-options")).contains("nosniff");
    assertThat(one.headers().firstValue("cache-control")).contains("no-store");
  }

  @Test
  void aListenerIsToldOfItsTargetAndOfWhatHappens() throws Exception {
    firestore.document("c/d").set(Map.of("a", "é 😀")).get();
    try (Poll poll = listen().open(add(2, "c")).poll(0, false)) {
      List<Array> first = poll.next(4);
      assertThat(first).extracting(array -> what(array)).containsExactly("ADD", "d", "CURRENT", "");
      assertThat(first.get(1).content().findValue("stringValue").asText()).isEqualTo("é 😀");
      firestore.document("c/e").set(Map.of("a", 1)).get();
      List<Array> later = poll.next(2);
      assertThat(later).extracting(array -> what(array)).containsExactly("e", "");
      assertThat(ids(first).get(3)).isLessThan(ids(later).get(0));
    }
  }

  @Test
  void everythingOnTheWireIsAscii() throws Exception {
    firestore.document("c/d").set(Map.of("é😀", "\u2028 漢")).get();
    try (Poll poll = listen().open(add(2, "c")).poll(0, true)) {
      String text = new String(poll.answer().body().readAllBytes(), ISO_8859_1);
      assertThat(text.chars()).allMatch(c -> c < 0x7f);
    }
  }

  @Test
  void whoHasNothingToHearHearsThatAtOnce() throws Exception {
    try (Poll poll = listen().open().poll(0, false)) {
      assertThat(poll.next()).singleElement().matches(Array::isNoop).matches(it -> it.id() == 1);
    }
  }

  @Test
  void aTargetIsRemovedOnceHoweverOftenThatIsSaid() throws Exception {
    ChannelClient client = listen().open(add(2, "c"));
    try (Poll poll = client.poll(0, false)) {
      poll.next(3);
      String remove = remove(2);
      assertThat(client.send(1, remove).body()).matches("[0-9]+\\n\\[1,[0-9]+,[0-9]+]");
      assertThat(client.send(1, remove).statusCode()).isEqualTo(200);
      // Again under the same number, with something new behind it.
      assertThat(client.send(1, remove, add(4, "c")).statusCode()).isEqualTo(200);
      assertThat(poll.next(4))
          .extracting(array -> what(array))
          .containsExactly("REMOVE", "ADD", "CURRENT", "");
    }
  }

  @Test
  void messagesThatOvertakeEachOtherAreSortedOut() throws Exception {
    ChannelClient client = listen().open(add(2, "c"));
    try (Poll poll = client.poll(0, false)) {
      poll.next(3);
      assertThat(client.send(2, add(2, "c")).statusCode()).isEqualTo(200);
      assertThat(client.send(1, remove(2)).statusCode()).isEqualTo(200);
      assertThat(poll.next(4))
          .extracting(array -> what(array))
          .containsExactly("REMOVE", "ADD", "CURRENT", "");
    }
  }

  @Test
  void messagesMayHaveAnyIndexInAForm() throws Exception {
    ChannelClient client = listen().open(add(2, "c"), remove(2), add(4, "c"));
    // After a retry, the base may be lower than the first message, and the order is any.
    String form = "count=2&ofs=1&req3___data__=" + ChannelClient.encoded(add(6, "c"))
        + "&req2___data__=" + ChannelClient.encoded(remove(4));
    assertThat(client.send(form).statusCode()).isEqualTo(200);
    try (Poll poll = client.poll(0, false)) {
      assertThat(poll.next(11))
          .extracting(array -> what(array))
          .containsExactly(
              "ADD", "CURRENT", "", "REMOVE", "ADD", "CURRENT", "", "REMOVE", "ADD", "CURRENT", "");
    }
  }

  @Test
  void aMessageThatItsClientCouldNotWriteIsPassedOver() throws Exception {
    ChannelClient client = listen().open(add(2, "c"));
    assertThat(client.send("count=1&ofs=1&req0_type=_badmap").statusCode()).isEqualTo(200);
    assertThat(client.send(2, remove(2)).statusCode()).isEqualTo(200);
    try (Poll poll = client.poll(0, false)) {
      assertThat(what(poll.next(4).get(3))).isEqualTo("REMOVE");
    }
  }

  @Test
  void whatWasNotAcknowledgedComesAgain() throws Exception {
    ChannelClient client = listen().open(add(2, "c"));
    List<Long> told;
    try (Poll lost = client.poll(0, false)) {
      told = ids(lost.next(3));
      assertThat(told).isSorted().doesNotHaveDuplicates();
    }
    try (Poll again = client.poll(told.get(0), false)) {
      assertThat(ids(again.next(2))).isEqualTo(told.subList(1, 3));
    }
    try (Poll over = client.poll(told.get(2), false)) {
      assertThat(over.next())
          .singleElement()
          .matches(Array::isNoop)
          .matches(noop -> noop.id() > told.get(2));
    }
    try (Poll older = client.poll(0, false)) { // it was acknowledged, so it is gone
      assertThat(older.next()).singleElement().matches(Array::isNoop);
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1_000_000, Long.MAX_VALUE})
  void nobodyCanAcknowledgeWhatWasNotSent(long much) throws Exception {
    ChannelClient client = listen().open(add(2, "c"));
    try (Poll poll = client.poll(much, false)) {
      assertThat(poll.next(3)).extracting(array -> what(array)).contains("ADD", "CURRENT", "");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"abc", "", "99999999999999999999"})
  void anAcknowledgementThatIsNoNumberIsRefused(String what) throws Exception {
    ChannelClient client = listen().open(add(2, "c"));
    try (Poll poll = client.poll("&CI=0&AID=" + what)) {
      assertThat(poll.status()).isEqualTo(400);
    }
    try (Poll poll = client.poll(-1, false)) {
      assertThat(poll.next(3)).hasSize(3);
    }
  }

  @Test
  void aSecondRequestThatHangsEndsTheFirst() throws Exception {
    ChannelClient client = listen().open(add(2, "c"));
    try (Poll first = client.poll(0, false)) {
      first.next(3);
      try (Poll second = client.poll(3, false)) {
        assertThat(first.rest()).isEmpty();
        first.close();
        second.next();
        firestore.document("c/d").set(Map.of("a", 1)).get();
        assertThat(what(second.next(2).get(0))).isEqualTo("d");
      }
    }
  }

  @Test
  void aLongPollEndsWithWhatItBrings() throws Exception {
    ChannelClient client = listen().open(add(2, "c"));
    long known = 0;
    List<Array> heard = new java.util.ArrayList<>();
    while (heard.size() < 3) {
      try (Poll poll = client.poll(known, true)) {
        heard.addAll(poll.rest());
        known = heard.get(heard.size() - 1).id();
      }
    }
    assertThat(heard).extracting(array -> what(array)).containsExactly("ADD", "CURRENT", "");
    firestore.document("c/d").set(Map.of("a", 1)).get();
    try (Poll poll = client.poll(known, true)) {
      assertThat(what(poll.rest().get(0))).isEqualTo("d");
    }
  }

  @Test
  void whoSendsWithoutListeningIsToldSoAndMissesNothing() throws Exception {
    ChannelClient client = listen().open();
    assertThat(client.send(0, add(2, "c")).body()).matches("[0-9]+\\n\\[0,0,[0-9]+]");
    try (Poll poll = client.poll(0, false)) {
      assertThat(what(poll.next(3).get(0))).isEqualTo("ADD");
    }
  }

  @Test
  void aSessionThatWasTerminatedIsUnknown() throws Exception {
    ChannelClient client = listen().open(add(2, "c"));
    try (Poll poll = client.poll(0, false)) {
      poll.next(3);
      assertThat(client.terminate().statusCode()).isEqualTo(200);
      assertThat(poll.rest()).isEmpty();
    }
    assertThat(client.terminate().statusCode()).isEqualTo(200);
    assertUnknown(client.send(1, remove(2)));
    try (Poll poll = client.poll(0, false)) {
      assertThat(poll.status()).isEqualTo(400);
    }
  }

  @Test
  void aSessionCanBeTerminatedByAnImage() throws Exception {
    ChannelClient client = listen().open(add(2, "c"));
    assertThat(client.from("").terminateByImage()).isEqualTo(200);
    assertUnknown(client.send(1, remove(2)));
  }

  @Test
  void aBatchThatFailsEndsTheStreamOfWritesBeforeTheNext() throws Exception {
    ChannelClient client = write().open("{\"database\":\"" + DATABASE + "\"}");
    assertThat(client
            .send(
                1,
                set("c/one", ""),
                set("c/two", ",\"currentDocument\":{\"exists\":true}"),
                set("c/three", ""))
            .statusCode())
        .isEqualTo(200);
    try (Poll poll = client.poll(0, false)) {
      List<Array> told = poll.next(3);
      assertThat(told.get(0).content().get(0).has("streamToken")).isTrue();
      assertThat(told.get(0).content().get(0).has("writeResults")).isFalse();
      assertThat(told.get(1).content().get(0).get("writeResults").size()).isEqualTo(1);
      assertThat(told.get(2).content().get(0).get("error").get("status").asText())
          .isEqualTo("NOT_FOUND");
    }
    assertThat(firestore.document("c/one").get().get().exists()).isTrue();
    assertThat(firestore.document("c/three").get().get().exists()).isFalse();
  }

  @Test
  void aQueryThatIsRefusedEndsOnlyItsTarget() throws Exception {
    ChannelClient client = listen();
    HttpResponse<String> answer = client.handshake("", add(2, "c"));
    client.as(ChannelClient.frames(answer.body()).get(0).content().get(1).asText());
    try (Poll poll = client.poll(0, false)) {
      Array refused = poll.next(1).get(0);
      assertThat(what(refused)).isEqualTo("REMOVE");
      assertThat(refused
              .content()
              .get(0)
              .get("targetChange")
              .get("cause")
              .get("code")
              .asInt())
          .isEqualTo(7);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Authorization:Bearer junk                                  | INVALID_ARGUMENT",
        "Authorization:Basic abc                                    | UNKNOWN",
        "Authorization:Bearer owner\\r\\nauthorization:Bearer other | INVALID_ARGUMENT",
      })
  void whoIsNobodyIsToldOnTheSession(String headers, String status) throws Exception {
    ChannelClient client = listen();
    HttpResponse<String> answer = client.handshake(headers.replace("\\r\\n", "\r\n"), add(2, "c"));
    assertThat(answer.statusCode()).isEqualTo(200);
    client.as(ChannelClient.frames(answer.body()).get(0).content().get(1).asText());
    try (Poll poll = client.poll(0, false)) {
      assertThat(poll.next(1).get(0).content().get(0).get("error").get("status").asText())
          .isEqualTo(status);
    }
  }

  @Test
  void anOldClientMayWriteItsTokenIntoTheAddress() throws Exception {
    firestore.document("c/d").set(Map.of("a", 1)).get();
    String padding = "X-Firebase-AppCheck:" + "x".repeat(7000) + "\r\n";
    ChannelClient client = listen();
    HttpResponse<String> answer = client.post(
        "&RID=1&%24httpHeaders="
            + ChannelClient.encoded(padding + "Authorization:Bearer owner\r\n"),
        ChannelClient.form(0, add(2, "c")));
    assertThat(answer.statusCode()).isEqualTo(200);
    client.as(ChannelClient.frames(answer.body()).get(0).content().get(1).asText());
    try (Poll poll = client.poll(0, false)) {
      assertThat(what(poll.next(2).get(1))).isEqualTo("d");
    }
  }

  @Test
  void everyAnswerCanBeReadByThePageThatAsked() throws Exception {
    ChannelClient client = listen().open(add(2, "c"));
    List<HttpResponse<?>> answers = List.of(
        client.handshake("", add(2, "c")),
        client.send(1, remove(2)),
        client.send("nonsense=%zz"),
        client.send(5_000, remove(2)),
        client.send(1, remove(2)),
        client.terminate());
    assertThat(answers).extracting(HttpResponse::statusCode).contains(200, 400);
    for (HttpResponse<?> answer : answers) {
      assertThat(answer.headers().firstValue("access-control-allow-origin"))
          .contains(ChannelClient.ORIGIN);
      assertThat(answer.headers().firstValue("access-control-allow-credentials"))
          .contains("true");
      assertThat(answer.headers().firstValue("access-control-expose-headers").orElse(""))
          .contains("x-client-wire-protocol", "x-http-initial-response", "x-http-session-id");
      assertThat(answer.headers().allValues("vary")).contains("origin");
    }
  }

  @Test
  void aForeignPageOpensNoSession() throws Exception {
    HttpResponse<String> answer =
        write().from("https://evil.test").handshake("Authorization:Bearer owner\r\n");
    assertThat(answer.statusCode()).isEqualTo(403);
    assertThat(answer.headers().firstValue("access-control-allow-origin")).isEmpty();
  }

  static void assertUnknown(HttpResponse<String> answer) {
    assertThat(answer.statusCode()).isEqualTo(400);
    assertThat(answer.body().indexOf("Unknown SID")).isPositive();
  }

  private ChannelClient listen() {
    return new ChannelClient(server.emulatorHost(), "Listen");
  }

  private ChannelClient write() {
    return new ChannelClient(server.emulatorHost(), "Write");
  }

  private static List<Long> ids(List<Array> arrays) {
    return arrays.stream().map(Array::id).toList();
  }

  /** Returns the kind of a target change, or the id of a document that has changed. */
  private static String what(Array array) {
    var message = array.content().get(0);
    return message.has("documentChange")
        ? message.findValue("name").asText().replaceAll(".*/", "")
        : message.path("targetChange").path("targetChangeType").asText();
  }

  static String add(int id, String collection) {
    return "{\"database\":\"" + DATABASE + "\",\"addTarget\":{\"query\":{\"parent\":\"" + DATABASE
        + "/documents\",\"structuredQuery\":{\"from\":[{\"collectionId\":\"" + collection
        + "\"}]}},\"targetId\":" + id + "}}";
  }

  static String remove(int id) {
    return "{\"database\":\"" + DATABASE + "\",\"removeTarget\":" + id + "}";
  }

  static String set(String path, String more) {
    return "{\"streamToken\":\"MQ==\",\"writes\":[{\"update\":{\"name\":\"" + DATABASE
        + "/documents/" + path + "\",\"fields\":{}}" + more + "}]}";
  }
}
