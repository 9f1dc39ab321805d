package dev.syncguard.firestore.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.api.core.ApiFuture;
import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.FirestoreOptions;
import com.google.cloud.firestore.WriteResult;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class ServerLifeTest {

  @Test
  void closingEndsWhoeverWaitsAndLeavesNoThread() throws Exception {
    Set<Thread> before = threads();
    FirestoreServer server =
        FirestoreServer.builder().lockTimeout(Duration.ofHours(1)).start();
    Firestore firestore = client(server);
    CountDownLatch listening = new CountDownLatch(1);
    firestore.collection("c").addSnapshotListener((snapshot, error) -> listening.countDown());
    assertThat(listening.await(30, TimeUnit.SECONDS)).isTrue();
    CountDownLatch read = new CountDownLatch(1);
    CountDownLatch closed = new CountDownLatch(1);
    ApiFuture<Boolean> holder = firestore.runTransaction(transaction -> {
      transaction.get(firestore.document("c/d")).get();
      read.countDown();
      return closed.await(60, TimeUnit.SECONDS);
    });
    assertThat(read.await(30, TimeUnit.SECONDS)).isTrue();
    ApiFuture<WriteResult> waiter = firestore.document("c/d").set(Map.of("n", 1));
    assertThatThrownBy(() -> waiter.get(1, TimeUnit.MILLISECONDS)).isNotNull();
    server.close();
    closed.countDown();
    firestore.shutdownNow();
    // Not waited for: a client that is shut down may forget a transaction that it wanted to repeat.
    holder.cancel(true);
    firestore.close();
    Patience.until("its threads have ended", () -> before.containsAll(threads()));
  }

  @Test
  void thePortIsFreeAsSoonAsTheServerIsClosed() {
    FirestoreServer first = FirestoreServer.builder().start();
    int port = first.port();
    first.close();
    for (int i = 0; i < 5; i++) {
      FirestoreServer again = FirestoreServer.builder().port(port).start();
      assertThat(again.port()).isEqualTo(port);
      again.close();
    }
    assertThatThrownBy(() -> new Socket(InetAddress.getLoopbackAddress(), port).close())
        .isNotNull();
  }

  @Test
  void aPortThatIsTakenIsAnError() {
    try (FirestoreServer server = FirestoreServer.builder().start()) {
      FirestoreServerBuilder second = FirestoreServer.builder().port(server.port());
      assertThatThrownBy(second::start).hasMessageContaining("in use");
    }
  }

  private static Set<Thread> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("firestore-"))
        .collect(Collectors.toSet());
  }

  private static Firestore client(FirestoreServer server) {
    return FirestoreOptions.newBuilder()
        .setProjectId("demo")
        .setEmulatorHost(server.emulatorHost())
        .build()
        .getService();
  }
}
