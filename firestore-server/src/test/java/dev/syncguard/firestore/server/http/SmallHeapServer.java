package dev.syncguard.firestore.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.firestore.v1.CommitRequest;
import com.google.firestore.v1.Document;
import com.google.firestore.v1.FirestoreGrpc;
import com.google.firestore.v1.Value;
import com.google.firestore.v1.Write;
import com.google.protobuf.ByteString;
import dev.syncguard.firestore.server.Patience;
import dev.syncguard.firestore.server.value.Values;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A server with 128 MiB of heap in a process that ends as soon as that is not enough. After each test it must still work,
 * and at the end it must end because we said so.
 */
@SuppressWarnings("NullAway.Init") // nothing comes before beforeAll
final class SmallHeapServer implements BeforeAllCallback, AfterEachCallback, AfterAllCallback {
  static final String DATABASE = "projects/p/databases/(default)";
  static final String ROOT = DATABASE + "/documents";
  private static final int HEAP_MIB = 128;

  private Process process;
  private String host;
  private ManagedChannel channel;

  @Override
  public void beforeAll(ExtensionContext context) throws IOException {
    process = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx" + HEAP_MIB + "m",
            "-XX:+ExitOnOutOfMemoryError",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            SmallServer.class.getName())
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
    BufferedReader output = process.inputReader();
    host = output.readLine();
    assertThat(host).as("where the server listens").isNotNull();
    channel = NettyChannelBuilder.forTarget(host)
        .usePlaintext()
        .maxInboundMessageSize(16 << 20)
        .build();
  }

  @Override
  public void afterEach(ExtensionContext context) {
    // It may still hold what clients that are gone have left.
    Patience.until("there is room for another commit", this::isRoomForAnotherCommit);
    assertThat(process.isAlive()).isTrue();
  }

  @Override
  public void afterAll(ExtensionContext context) throws Exception {
    channel.shutdownNow().awaitTermination(30, TimeUnit.SECONDS);
    process.outputWriter().close();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as("it ended because we said so").isZero();
  }

  private boolean isRoomForAnotherCommit() {
    try {
      commit("after/all", 2);
      return true;
    } catch (StatusRuntimeException e) {
      return false;
    }
  }

  String host() {
    return host;
  }

  ManagedChannel channel() {
    return channel;
  }

  /** Writes a document that has about so many bytes. */
  void commit(String path, int bytes) {
    Value filling =
        Value.newBuilder().setBytesValue(ByteString.copyFrom(new byte[bytes])).build();
    commit(path, Map.of("bytes", filling, "n", Values.of((long) bytes)));
  }

  void commit(String path, Map<String, Value> fields) {
    CommitRequest request = CommitRequest.newBuilder()
        .setDatabase(DATABASE)
        .addWrites(Write.newBuilder()
            .setUpdate(Document.newBuilder().setName(ROOT + "/" + path).putAllFields(fields)))
        .build();
    assertThat(FirestoreGrpc.newBlockingStub(channel)
            .withDeadlineAfter(60, TimeUnit.SECONDS)
            .commit(request)
            .hasCommitTime())
        .isTrue();
  }

  /** Sends a request over a connection of its own and returns that, without reading the answer. */
  Socket send(String request) throws IOException {
    int port = Integer.parseInt(host.substring(host.lastIndexOf(':') + 1));
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(60_000);
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    return socket;
  }

  static String get(String path) {
    return "GET /v1/" + ROOT + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
  }

  static String post(String path, String body) {
    return "POST /v1/" + ROOT + path + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: "
        + body.length() + "\r\n\r\n" + body;
  }

  /** Returns the start of what has come back, up to the status. */
  static String status(Socket socket) throws IOException {
    return new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
  }
}
