package dev.syncguard.firestore.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.firestore.server.auth.Authorizer;
import dev.syncguard.firestore.server.http.RawClient;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls over HTTP/2 whose messages never arrive whole. Frames are written by hand: no client would do this. */
@Tag("slow")
@Timeout(120)
class SlowCallsTest {
  private static final int DATA = 0;
  private static final int HEADERS = 1;
  private static final int RESET = 3;
  private static final int SETTINGS = 4;
  private static final int END_OF_HEADERS = 4;
  private static final int CLOSED = -1;
  /** How a message of 64 KiB over gRPC begins. */
  private static final byte[] BEGINNING = {0, 0, 1, 0, 0};

  @ParameterizedTest
  @ValueSource(strings = {"Commit", "GetDocument", "BatchGetDocuments", "RunQuery", "Listen"})
  void aCallThatDripsInIsEndedWhileTheConnectionGoesOn(String method) throws Exception {
    try (FirestoreServer server = FirestoreServer.builder()
            .authorizer(Authorizer.open())
            .requestTimeout(Duration.ofMillis(400))
            .start();
        RawClient client = new RawClient(server)) {
      connect(client);
      begin(client, 1, method);
      assertThat(endOf(client, 1)).isTrue();
      begin(client, 3, method);
      assertThat(endOf(client, 3)).isTrue();
    }
  }

  @Test
  void whatHasArrivedOfCallsThatAreNotCompleteIsCounted() throws Exception {
    try (FirestoreServer server = FirestoreServer.builder()
            .authorizer(Authorizer.open())
            .requestTimeout(Duration.ofHours(1))
            .budgetBytes(32 << 10)
            .start();
        RawClient client = new RawClient(server)) {
      connect(client);
      for (int stream = 1; stream <= 5; stream += 2) {
        begin(client, stream, "Commit");
        client.send(frame(DATA, 0, stream, new byte[16_000]));
      }
      // Streams are served side by side, so it need not be the one that was begun last.
      assertThat(nextEnd(client)).as("one of three, at once").isIn(1, 3, 5);
    }
  }

  private static void connect(RawClient client) throws IOException {
    client.send("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
    client.send(frame(SETTINGS, 0, 0, new byte[0]));
  }

  private static void begin(RawClient client, int stream, String method) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    head.write(0x83); // :method POST
    head.write(0x86); // :scheme http
    text(head, 0x04, "/google.firestore.v1.Firestore/" + method); // :path
    text(head, 0x01, "localhost"); // :authority
    head.write(0x0F); // content-type, whose number does not fit into the first byte
    text(head, 0x10, "application/grpc");
    client.send(frame(HEADERS, END_OF_HEADERS, stream, head.toByteArray()));
    client.send(frame(DATA, 0, stream, BEGINNING));
  }

  private static void text(ByteArrayOutputStream out, int name, String value) {
    out.write(name);
    out.write(value.length());
    out.writeBytes(value.getBytes(StandardCharsets.US_ASCII));
  }

  private static byte[] frame(int type, int flags, int stream, byte[] payload) {
    return ByteBuffer.allocate(9 + payload.length)
        .put((byte) (payload.length >> 16))
        .putShort((short) payload.length)
        .put((byte) type)
        .put((byte) flags)
        .putInt(stream)
        .put(payload)
        .array();
  }

  /** Reads frames until the stream is answered or reset; returns false if the connection is closed before. */
  private static boolean endOf(RawClient client, int wanted) throws IOException {
    int ended = nextEnd(client);
    while (ended != wanted && ended != CLOSED) {
      ended = nextEnd(client);
    }
    return ended == wanted;
  }

  /** Reads frames until a stream is answered or reset, and returns which. */
  private static int nextEnd(RawClient client) throws IOException {
    while (true) {
      byte[] head = new byte[9];
      for (int i = 0; i < head.length; i++) {
        int next = client.read();
        if (next < 0) {
          return CLOSED;
        }
        head[i] = (byte) next;
      }
      int length = ((head[0] & 0xFF) << 16) | ((head[1] & 0xFF) << 8) | (head[2] & 0xFF);
      for (int i = 0; i < length; i++) {
        client.read();
      }
      if (head[3] == HEADERS || head[3] == RESET) {
        return ByteBuffer.wrap(head).getInt(5);
      }
    }
  }
}
