package dev.syncguard.fence.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.syncguard.fence.FencedHttpClient;
import dev.syncguard.fence.StaleFenceException;
import dev.syncguard.lock.Fence;
import dev.syncguard.lock.Lease;
import dev.syncguard.lock.LeaseLostException;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.jdbc.SqliteLockBackend;
import dev.syncguard.lock.memory.MemoryLockBackend;
import dev.syncguard.lock.testkit.ChildJvm;
import dev.syncguard.lock.testkit.LateHolder;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a service does about fences, in a real container, whichever adapter it uses. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
abstract class FenceOverHttpContract {

  private static final Fence FIRST = new Fence(41);
  private static final Fence SECOND = new Fence(42);

  // Kept, because a level is forgotten together with its logger.
  private static final Logger TOMCAT = Logger.getLogger("org.apache");

  private final HttpClient http = HttpClient.newHttpClient();
  private final FencedHttpClient client = FencedHttpClient.over(http);
  private final Tomcat tomcat = new Tomcat();
  private Ledger ledger;
  private URI address;

  @TempDir
  private Path directory;

  /** Puts a service into the container that writes the body of PUT /ledger, and lets {@code ?slow} requests be overtaken. */
  abstract void install(Context context, Ledger ledger) throws Exception;

  /** What a slow request is overtaken by after it was let in. */
  static void beOvertaken(Ledger ledger) throws Exception {
    ledger.write(SECOND, "second");
  }

  @BeforeEach
  void start() throws Exception {
    TOMCAT.setLevel(Level.OFF);
    ledger = new Ledger();
    tomcat.setBaseDir(directory.toString());
    tomcat.setHostname("127.0.0.1");
    tomcat.setPort(0);
    tomcat.getConnector().setProperty("address", "127.0.0.1");
    install(tomcat.addContext("", directory.toString()), ledger);
    tomcat.start();
    address = URI.create("http://127.0.0.1:" + tomcat.getConnector().getLocalPort() + "/ledger");
  }

  @AfterEach
  void stop() throws Exception {
    tomcat.stop();
    tomcat.destroy();
  }

  static HttpRequest put(URI address, String text) {
    return HttpRequest.newBuilder(address).PUT(BodyPublishers.ofString(text)).build();
  }

  private int status(String... headers) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(address).PUT(BodyPublishers.ofString("raw"));
    for (String header : headers) {
      request.header("Fence", header);
    }
    return http.send(request.build(), BodyHandlers.discarding()).statusCode();
  }

  @Test
  void aHolderMayWriteMoreThanOnceAndTheNextOneAfterIt() throws Exception {
    for (Fence fence : new Fence[] {FIRST, FIRST, SECOND}) {
      HttpResponse<Void> answer =
          client.send(fence, put(address, "by " + fence.value()), BodyHandlers.discarding());
      assertThat(answer.statusCode()).isEqualTo(204);
      assertThat(ledger.read()).isEqualTo("by " + fence.value());
    }
  }

  @Test
  void aLowerFenceIsRefusedAndChangesNothing() throws Exception {
    client.send(SECOND, put(address, "second"), BodyHandlers.discarding());
    assertThatThrownBy(() -> client.send(FIRST, put(address, "late"), BodyHandlers.discarding()))
        .isInstanceOf(StaleFenceException.class);
    assertThat(status(FIRST.text())).isEqualTo(412);
    assertThat(ledger.read()).isEqualTo("second");
  }

  @Test
  void aRequestThatWasLetInButIsOvertakenIsRefusedByItsTransaction() throws Exception {
    assertThatThrownBy(() -> client.send(
            FIRST, put(URI.create(address + "?slow"), "late"), BodyHandlers.discarding()))
        .isInstanceOf(StaleFenceException.class);
    assertThat(ledger.read()).isEqualTo("second");
  }

  @Test
  void withoutAFenceOrWithSomethingElseNothingIsWritten() throws Exception {
    assertThat(status()).isEqualTo(428);
    for (String bad : new String[] {"", "forty-two", "-1", "0", "1.5", "1e3", "9".repeat(19)}) {
      assertThat(status(bad)).as(bad).isEqualTo(400);
    }
    assertThat(status("41", "42")).isEqualTo(400);
    assertThat(ledger.read()).isEqualTo("none");
  }

  @Test
  void whatNeedsNoFencePasses() throws Exception {
    HttpRequest get = HttpRequest.newBuilder(address).build();
    assertThat(http.send(get, BodyHandlers.ofString()).body()).isEqualTo("none");
  }

  @Test
  void itIsOneLineWithALockAndALostLeaseIsRefusedBeforeAnythingIsSent() throws Exception {
    try (Locks locks = Locks.over(new MemoryLockBackend())) {
      locks
          .lock(Ledger.RESOURCE)
          .run(lease -> client.send(lease, put(address, "held"), BodyHandlers.discarding()));
      assertThat(ledger.read()).isEqualTo("held");
      Lease lost = locks.lock(Ledger.RESOURCE).acquire();
      lost.release();
      tomcat.stop();
      assertThatThrownBy(() -> client.send(lost, put(address, "late"), BodyHandlers.discarding()))
          .isInstanceOf(LeaseLostException.class);
    }
  }

  @Test
  void aHolderThatWasStoppedBeyondItsTtlIsRefused() throws Exception {
    Path locks = directory.resolve("locks.db");
    try (SqliteLockBackend backend = SqliteLockBackend.open(locks);
        ChildJvm holder = ChildJvm.run(HttpHolder.class, address, locks, Ledger.RESOURCE)) {
      assertThat(LateHolder.stopBeyondItsTtl(
              holder,
              backend,
              Ledger.RESOURCE,
              lease -> client.send(lease, put(address, "second"), BodyHandlers.discarding())))
          .containsExactly("LeaseLostException", "StaleFenceException");
    }
    assertThat(ledger.read()).isEqualTo("second");
  }
}
