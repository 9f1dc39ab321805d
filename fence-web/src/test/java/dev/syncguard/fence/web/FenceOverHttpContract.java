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
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.LongStream;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a service does about fences, in a real container, whichever adapter it uses. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
abstract class FenceOverHttpContract {

  static final String ARCHIVE = "archive";

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

  /**
   * Puts a service into the container that lets {@link #handle} do PUT /ledger, in another thread if the query begins with
   * {@code async}. It is guarded twice, for {@link Ledger#RESOURCE} and for {@link #ARCHIVE}.
   */
  abstract void install(Context context, Ledger ledger) throws Exception;

  /** What the service does with a request that was let in. */
  static void handle(@Nullable String query, Ledger ledger, Fence fence, String body)
      throws Exception {
    switch (String.valueOf(query)) {
      case "slow", "async-slow" -> {
        ledger.write(SECOND, "second");
        ledger.write(fence, body);
      }
      case "async-overtaken" -> {
        ledger.write(fence, body);
        ledger.check(Ledger.RESOURCE, SECOND);
      }
      case "asks-another" -> throw new StaleFenceException(new Fence(17));
      default -> ledger.write(fence, body);
    }
  }

  /** Another resource that requests are about to change, under the same lock. */
  static Optional<String> archive(HttpServletRequest request) {
    return Ledger.resource(request).map(ledger -> ARCHIVE);
  }

  @BeforeEach
  void start() throws Exception {
    TOMCAT.setLevel(Level.OFF);
    ledger = new Ledger();
    tomcat.setBaseDir(directory.toString());
    tomcat.setHostname("127.0.0.1");
    tomcat.setPort(0);
    tomcat.getConnector().setProperty("address", "127.0.0.1");
    Context context = tomcat.addContext("", directory.toString());
    addFilter(context, "headers", new OuterHeaders());
    install(context, ledger);
    tomcat.start();
    address = URI.create("http://127.0.0.1:" + tomcat.getConnector().getLocalPort() + "/ledger");
  }

  @AfterEach
  void stop() throws Exception {
    tomcat.stop();
    tomcat.destroy();
  }

  static void addFilter(Context context, String name, Filter filter) {
    FilterDef definition = new FilterDef();
    definition.setFilterName(name);
    definition.setFilter(filter);
    definition.setAsyncSupported("true");
    context.addFilterDef(definition);
    FilterMap everything = new FilterMap();
    everything.setFilterName(name);
    everything.addURLPattern("/*");
    everything.setDispatcher("REQUEST");
    everything.setDispatcher("ASYNC");
    everything.setDispatcher("ERROR");
    context.addFilterMap(everything);
  }

  /** What a filter further out says to browsers about every answer. */
  private static final class OuterHeaders extends HttpFilter {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doFilter(
        HttpServletRequest request, HttpServletResponse response, FilterChain chain)
        throws IOException, ServletException {
      response.setHeader("Access-Control-Allow-Origin", "https://example.org");
      chain.doFilter(request, response);
    }
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
  void aRequestThatIsOvertakenInAnotherThreadIsRefusedAsWell() throws Exception {
    assertThatThrownBy(() -> client.send(
            FIRST, put(URI.create(address + "?async-slow"), "late"), BodyHandlers.discarding()))
        .isInstanceOf(StaleFenceException.class);
    assertThat(ledger.read()).isEqualTo("second");
  }

  @Test
  void aRequestThatHasWrittenIsNotRefusedAfterwards() throws Exception {
    HttpResponse<Void> answer = client.send(
        FIRST, put(URI.create(address + "?async-overtaken"), "first"), BodyHandlers.discarding());
    assertThat(answer.statusCode()).isEqualTo(204);
    assertThat(ledger.read()).isEqualTo("first");
  }

  @Test
  void aRefusalKeepsWhatOtherFiltersSaidAboutTheAnswer() throws Exception {
    client.send(SECOND, put(address, "second"), BodyHandlers.discarding());
    for (String query : List.of("", "?slow", "?async-slow")) {
      HttpRequest late = HttpRequest.newBuilder(URI.create(address + query))
          .PUT(BodyPublishers.ofString("late"))
          .header("Fence", FIRST.text())
          .build();
      HttpResponse<String> answer = http.send(late, BodyHandlers.ofString());
      assertThat(answer.statusCode()).as(query).isEqualTo(412);
      assertThat(answer.headers().allValues("Access-Control-Allow-Origin"))
          .as(query)
          .containsExactly("https://example.org");
      assertThat(answer.headers().allValues("Fence")).as(query).containsExactly(FIRST.text());
      assertThat(answer.body()).as(query).contains("too old");
    }
  }

  @Test
  void everyResourceOfARequestMustAdmitIt() throws Exception {
    ledger.check(ARCHIVE, SECOND);
    assertThatThrownBy(() -> client.send(FIRST, put(address, "late"), BodyHandlers.discarding()))
        .isInstanceOf(StaleFenceException.class);
    assertThat(ledger.read()).isEqualTo("none");
  }

  @Test
  void theRefusalOfAnotherServiceIsNotTakenForOneOfThisFence() throws Exception {
    HttpResponse<Void> answer = client.send(
        FIRST, put(URI.create(address + "?asks-another"), "first"), BodyHandlers.discarding());
    assertThat(answer.statusCode()).isEqualTo(500);
  }

  @Test
  void headersThatTwoReadersCouldUnderstandDifferentlyAreRefused() throws Exception {
    String[][] attacks = {
      {"Fence: 41, 42"},
      {"Fence: 41;42"},
      {"Fence: 41", "fence: 41"},
      {"Fence: 41", "FENCE: 42"},
      {"Fence: +41"},
      {"Fence: 0x29"},
      {"Fence: \u0664\u0661"},
      {"Fence: 41\u00a0"},
      {"Fence: 41\0"},
      {"Fence: 41\rFence: 42"},
      {"Fence : 41"},
      {"Fence: " + "0".repeat(7000) + "41"},
    };
    for (String[] lines : attacks) {
      assertThat(RawHttp.put(address, "attack", lines))
          .as(String.join(" | ", lines))
          .startsWith("HTTP/1.1 4");
    }
    assertThat(ledger.read()).isEqualTo("none");
    assertThat(RawHttp.put(address, "fine", "fence:\t41 ")).startsWith("HTTP/1.1 204");
  }

  @Test
  void amongManyWritersTheHighestFenceRemainsWithItsValue() throws Exception {
    List<Callable<Boolean>> writers = LongStream.rangeClosed(1, 64)
        .map(n -> 1 + n * 37 % 64 / 2)
        .<Callable<Boolean>>mapToObj(n -> () -> {
          String query = n % 3 == 0 ? "?async" : "";
          try {
            client.send(
                new Fence(n),
                put(URI.create(address + query), "by " + n),
                BodyHandlers.discarding());
            return true;
          } catch (StaleFenceException late) {
            return false;
          }
        })
        .toList();
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try {
      for (var writer : threads.invokeAll(writers)) {
        writer.get();
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(ledger.read()).isEqualTo("by 32");
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
