package dev.syncguard.firestore.server;

import com.google.firestore.v1.FirestoreGrpc;
import com.google.firestore.v1.ListenRequest;
import com.google.firestore.v1.ListenResponse;
import com.google.firestore.v1.Target;
import com.google.firestore.v1.Target.DocumentsTarget;
import dev.syncguard.firestore.server.auth.Authorizer;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A phone that has lost its network says nothing any more, not even that it is gone. */
@Timeout(180)
class VanishedClientsTest {
  @Test
  void theListenerOfAClientThatHasVanishedIsGivenUp() throws Exception {
    try (FirestoreServer server = FirestoreServer.builder()
            .authorizer(Authorizer.open())
            .pingAfter(Duration.ofMillis(200))
            .start();
        Network network = new Network(server.port())) {
      ManagedChannel phone =
          NettyChannelBuilder.forTarget(network.address()).usePlaintext().build();
      try {
        listen(phone);
        network.swallow();
        Patience.until("nobody listens", () -> !activity(server).contains("\"caller\""));
      } finally {
        phone.shutdownNow();
      }
    }
  }

  private static void listen(ManagedChannel phone) throws InterruptedException {
    CountDownLatch told = new CountDownLatch(1);
    FirestoreGrpc.newStub(phone)
        .listen(new StreamObserver<>() {
          @Override
          public void onNext(ListenResponse message) {
            told.countDown();
          }

          @Override
          public void onError(Throwable failure) {}

          @Override
          public void onCompleted() {}
        })
        .onNext(ListenRequest.newBuilder()
            .setDatabase("projects/p/databases/(default)")
            .setAddTarget(Target.newBuilder()
                .setTargetId(1)
                .setDocuments(DocumentsTarget.newBuilder()
                    .addDocuments("projects/p/databases/(default)/documents/c/1")))
            .build());
    told.await();
  }

  private static String activity(FirestoreServer server) {
    try {
      // Over HTTP/2 whoever looks would have to answer pings as quickly, too.
      return HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .build()
          .send(
              HttpRequest.newBuilder(
                      URI.create("http://" + server.emulatorHost() + "/inspect/activity"))
                  .build(),
              BodyHandlers.ofString())
          .body();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** What is between a phone and the server. It can swallow everything, and then nobody is told that it does. */
  private static final class Network implements AutoCloseable {
    private final ServerSocket entry = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final List<Socket> open = new CopyOnWriteArrayList<>();
    private volatile boolean swallows;

    Network(int server) throws IOException {
      start(() -> {
        while (true) {
          Socket near = entry.accept();
          Socket far = new Socket(InetAddress.getLoopbackAddress(), server);
          open.addAll(List.of(near, far));
          start(() -> copy(near.getInputStream(), far.getOutputStream()));
          start(() -> copy(far.getInputStream(), near.getOutputStream()));
        }
      });
    }

    String address() {
      return "127.0.0.1:" + entry.getLocalPort();
    }

    void swallow() {
      swallows = true;
    }

    private void copy(InputStream from, OutputStream to) throws IOException {
      byte[] buffer = new byte[1 << 16];
      for (int length = from.read(buffer); length >= 0; length = from.read(buffer)) {
        if (!swallows) {
          to.write(buffer, 0, length);
        }
      }
    }

    private interface Work {
      void run() throws IOException;
    }

    private static void start(Work work) {
      Thread thread = new Thread(
          () -> {
            try {
              work.run();
            } catch (IOException e) {
              // closed
            }
          },
          "swallowing-network");
      thread.setDaemon(true);
      thread.start();
    }

    @Override
    public void close() throws IOException {
      entry.close();
      for (Socket socket : open) {
        socket.close();
      }
    }
  }
}
