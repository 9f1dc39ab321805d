package dev.syncguard.torture.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.syncguard.torture.proxy.FaultProxy.Failure;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The proxy loses exactly what it is told to lose. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class FaultProxyTest {

  private final AtomicInteger seen = new AtomicInteger();
  private ServerSocket server;
  private FaultProxy proxy;

  /** A server that counts the bytes that it gets, and answers each with the next number. */
  @BeforeEach
  void start() throws IOException {
    server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    Thread accepting = new Thread(() -> {
      while (!server.isClosed()) {
        try {
          Socket client = server.accept();
          Thread serving = new Thread(() -> serve(client));
          serving.setDaemon(true);
          serving.start();
        } catch (IOException e) {
          // Closed.
        }
      }
    });
    accepting.setDaemon(true);
    accepting.start();
    proxy = FaultProxy.to("127.0.0.1", server.getLocalPort());
  }

  private void serve(Socket client) {
    try (client) {
      for (int request = client.getInputStream().read(); request >= 0; ) {
        seen.incrementAndGet();
        client.getOutputStream().write(request + 1);
        request = client.getInputStream().read();
      }
    } catch (IOException e) {
      // The client is gone.
    }
  }

  @AfterEach
  void stop() throws IOException {
    proxy.close();
    server.close();
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), proxy.port());
    socket.setSoTimeout(30_000);
    return socket;
  }

  /** Returns the answer, or -1 if there will be none. */
  private static int ask(Socket socket, int request) throws IOException {
    try {
      socket.getOutputStream().write(request);
      return socket.getInputStream().read();
    } catch (SocketTimeoutException e) {
      throw e;
    } catch (IOException e) {
      return -1;
    }
  }

  @Test
  void withoutAFailureEverythingPasses() throws IOException {
    try (Socket socket = connect()) {
      for (int i = 0; i < 100; i++) {
        assertThat(ask(socket, i)).isEqualTo(i + 1);
      }
    }
    assertThat(seen).hasValue(100);
    assertThat(proxy.requests()).isEqualTo(100);
    assertThat(proxy.hasFailed()).isFalse();
  }

  @Test
  void aRequestThatIsCutNeverArrives() throws IOException {
    proxy.failAt(3, Failure.CUT_BEFORE);
    try (Socket socket = connect()) {
      assertThat(ask(socket, 1)).isEqualTo(2);
      assertThat(ask(socket, 1)).isEqualTo(2);
      assertThat(ask(socket, 1)).isEqualTo(-1);
    }
    assertThat(seen).hasValue(2);
    assertThat(proxy.hasFailed()).isTrue();
  }

  @Test
  void anAnswerThatIsCutWasGiven() throws IOException {
    proxy.failAt(2, Failure.CUT_AFTER);
    try (Socket socket = connect()) {
      assertThat(ask(socket, 1)).isEqualTo(2);
      assertThat(ask(socket, 1)).isEqualTo(-1);
    }
    assertThat(seen).hasValue(2);
  }

  @Test
  void anAnswerThatStallsDoesNotComeButOthersDo() throws IOException {
    proxy.failAt(1, Failure.STALL);
    try (Socket stalled = connect();
        Socket other = connect()) {
      stalled.setSoTimeout(100);
      assertThatThrownBy(() -> ask(stalled, 1)).isInstanceOf(SocketTimeoutException.class);
      assertThat(ask(other, 5)).isEqualTo(6);
      assertThat(seen).hasValue(2);
    }
  }

  @Test
  void requestsAreCountedOverAllConnections() throws IOException {
    proxy.failAt(2, Failure.CUT_BEFORE);
    try (Socket first = connect();
        Socket second = connect()) {
      assertThat(ask(first, 1)).isEqualTo(2);
      assertThat(ask(second, 1)).isEqualTo(-1);
      assertThat(ask(first, 1)).isEqualTo(2);
    }
  }

  @Test
  void aBrokenProxyCutsEverybodyUntilItIsHealed() throws IOException {
    try (Socket socket = connect()) {
      assertThat(ask(socket, 1)).isEqualTo(2);
      proxy.breakDown();
      assertThat(ask(socket, 1)).isEqualTo(-1);
      try (Socket refused = connect()) {
        assertThat(ask(refused, 1)).isEqualTo(-1);
      }
      proxy.heal();
      try (Socket healed = connect()) {
        assertThat(ask(healed, 1)).isEqualTo(2);
      }
    }
  }
}
