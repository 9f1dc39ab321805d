package dev.syncguard.firestore.server.webchannel;

import static dev.syncguard.firestore.server.webchannel.WebChannelTest.add;
import static dev.syncguard.firestore.server.webchannel.WebChannelTest.assertUnknown;
import static dev.syncguard.firestore.server.webchannel.WebChannelTest.remove;
import static dev.syncguard.firestore.server.webchannel.WebChannelTest.set;
import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.firestore.server.FirestoreServer;
import dev.syncguard.firestore.server.http.RawClient;
import dev.syncguard.firestore.server.webchannel.ChannelClient.Poll;
import java.io.IOException;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whoever means harm learns nothing, and takes nothing from others. */
@Tag("slow")
@Timeout(240)
class HostileChannelsTest {
  private FirestoreServer server;

  @BeforeEach
  void start() {
    server = FirestoreServer.builder().start();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void nobodyElseCanUseASession() throws Exception {
    ChannelClient client = client("Listen").open(add(2, "c"));
    String id = client.session();
    String swapped = id.equals(id.toUpperCase(Locale.ROOT))
        ? id.toLowerCase(Locale.ROOT)
        : id.toUpperCase(Locale.ROOT);
    assertUnknown(client("Listen").as("AAAAAAAAAAAAAAAAAAAAAA").send(1, remove(2)));
    assertUnknown(client("Listen").as(id.substring(1)).send(1, remove(2)));
    assertUnknown(client("Listen").as(swapped).send(1, remove(2)));
    assertUnknown(client("Write").as(id).send(1, remove(2)));
    assertUnknown(client("Listen").from("http://localhost:1").as(id).send(1, remove(2)));
    assertUnknown(new ChannelClient(server.emulatorHost(), "Listen", "projects/q/databases/d")
        .as(id)
        .send(1, remove(2)));
    assertThat(client("Write").as(id).terminate().statusCode()).isEqualTo(200);
    try (Poll poll = client.poll(0, false)) { // of all that nothing has happened
      assertThat(poll.next(3)).hasSize(3);
    }
    assertThat(client.send(1, remove(2)).statusCode()).isEqualTo(200);
  }

  @Test
  void aSessionOfNoPageIsNotForPages() throws Exception {
    ChannelClient program = client("Listen").from("").open(add(2, "c"));
    assertUnknown(client("Listen").as(program.session()).send(1, remove(2)));
  }

  @Test
  void aHandshakeThatIsSentAgainOpensAnotherSession() throws Exception {
    String one = client("Listen").open(add(2, "c")).session();
    assertThat(client("Listen").open(add(2, "c")).session()).isNotEqualTo(one);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "count=1&ofs=0&req0___data__=%zz",
        "count=1&ofs=0&req0___data__=%2",
        "count=999999999&ofs=0",
        "count=x&ofs=0",
        "count=1&ofs=-1&req0___data__=x",
        "count=1&ofs=9223372036854775807&req1___data__=x",
        "count=1&ofs=99999999999999999999",
        "ofs=0&req0___data__=x",
        "",
        "\u0000\u0001"
      })
  void aFormThatIsNoneIsRefused(String form) throws Exception {
    ChannelClient client = client("Listen").open(add(2, "c"));
    assertThat(client.send(form).statusCode()).isEqualTo(400);
    assertThat(client("Listen").post("&RID=1", form).statusCode()).isEqualTo(400);
  }

  @Test
  void keysAndNumbersOfMessagesHaveLimits() throws Exception {
    ChannelClient client = client("Listen").open(add(2, "c"));
    assertThat(client.send("count=1&ofs=0&" + "k".repeat(1 << 20) + "=1").statusCode())
        .isEqualTo(400);
    StringBuilder many = new StringBuilder("count=1&ofs=0");
    for (int i = 0; i < 2000; i++) {
      many.append("&req").append(i).append("___data__=x");
    }
    assertThat(client.send(many.toString()).statusCode()).isEqualTo(400);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{", "[]", "{\"nobody\":1}", "deep", "number", "long"})
  void aMessageThatIsNoneFailsItsStreamAndNotTheRequest(String kind) throws Exception {
    String message = switch (kind) {
      case "deep" -> "[".repeat(10_000);
      case "number" -> "{\"removeTarget\":" + "1".repeat(100_000) + "}";
      case "long" -> "x".repeat((16 << 20) + 100);
      default -> kind;
    };
    ChannelClient client = client("Listen").open(add(2, "c"));
    assertThat(client.send(1, message, remove(2)).statusCode()).isEqualTo(200);
    try (Poll poll = client.poll(0, false)) {
      assertThat(poll.next(4).get(3).content().get(0).findValue("status").asText())
          .isEqualTo("INVALID_ARGUMENT");
    }
  }

  @Test
  void aBodyWithoutEndIsRefused() throws Exception {
    try (RawClient client = new RawClient(server)) {
      client.send(String.join(
          "\r\n",
          "POST /google.firestore.v1.Firestore/Listen/channel?VER=8&RID=1 HTTP/1.1",
          "Host: localhost",
          "Origin: http://localhost",
          "Content-Length: 1000000000",
          "",
          "count=1&ofs=0&req0___data__="));
      String part = "x".repeat(1 << 20);
      try {
        for (int i = 0; i < 80; i++) {
          client.send(part);
        }
      } catch (IOException e) {
        // answered and closed before we were done
      }
      // Which of the two depends on the heap of this process.
      assertThat(client.readUntil("\r\n\r\n")).containsPattern("HTTP/1.1 (413|503) ");
    }
  }

  @Test
  void thousandsOfSessionsThatNobodyUsesCostOnlyEachOther() throws Exception {
    ChannelClient used = client("Listen").open(add(2, "c"));
    ChannelClient writer =
        client("Write").open("{\"database\":\"" + ChannelClient.DATABASE + "\"}");
    try (Poll poll = used.poll(0, false);
        Poll written = writer.poll(0, false)) {
      poll.next(3);
      ChannelClient first = client("Listen").open(add(2, "c"));
      ChannelClient last = first;
      for (int i = 0; i < 2100; i++) {
        last = client("Listen").open();
      }
      assertUnknown(first.send(1, remove(2)));
      assertThat(last.send(0, add(2, "c")).statusCode()).isEqualTo(200);
      assertThat(writer.send(1, set("c/d", "")).statusCode()).isEqualTo(200);
      assertThat(poll.next(2)).hasSize(2);
      assertThat(written.next(2)).hasSize(2);
    }
  }

  private ChannelClient client(String method) {
    return new ChannelClient(server.emulatorHost(), method);
  }
}
