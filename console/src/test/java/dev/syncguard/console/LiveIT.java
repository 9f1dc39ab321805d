package dev.syncguard.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import dev.syncguard.firestore.server.FirestoreServer;
import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.Lease;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.memory.MemoryLockBackend;
import dev.syncguard.lock.telemetry.Telemetry;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Changes come to the page; it does not go and look for them, unless it has to. */
class LiveIT {

  private static final Duration LONG = Duration.ofMinutes(10);

  @RegisterExtension
  final Desk desk = new Desk();

  private final List<String> asked = new CopyOnWriteArrayList<>();

  @BeforeEach
  void bePatient() {
    PlaywrightAssertions.setDefaultAssertionTimeout(60_000);
  }

  private Page open(String address) {
    Page page = desk.open(address);
    page.onRequest(request -> asked.add(request.url().replaceAll(".*/api/", "")));
    return page;
  }

  @Test
  void whileNothingHappensThePageAsksForNothing() {
    Page page = open(desk.serve(desk.console()).address());
    assertThat(page.locator("#link")).hasText("live");
    page.waitForTimeout(1000); // what it asked for because it is told from now on
    asked.clear();
    page.waitForTimeout(5000);
    // Asking would have done it five times; a slow machine asks less, not more.
    assertThat(asked).hasSizeLessThan(3);

    desk.take("report", LONG);
    assertThat(page.locator(".body .row")).hasCount(1);
  }

  @Test
  void aPageThatIsToldNothingAsks() {
    Page page = desk.open("about:blank");
    page.route("**/api/changes", route -> route.abort());
    page.navigate(desk.serve(desk.console()).address());
    assertThat(page.locator(".empty h3")).hasText("Nobody holds a lock");
    assertThat(page.locator("#link")).not().hasText("live");
    desk.take("report", LONG);
    assertThat(page.locator(".body .row")).hasCount(1);
  }

  @Test
  void moreWindowsThanABrowserHasConnectionsAllStayCurrent() {
    ConsoleServer server = desk.serve(desk.console());
    Page first = desk.open(server.address());
    List<Page> pages = new CopyOnWriteArrayList<>(List.of(first));
    for (int i = 0; i < 6; i++) {
      Page page = first.context().newPage();
      page.navigate(server.address());
      pages.add(page);
    }
    pages.forEach(page -> assertThat(page.locator(".empty h3")).hasText("Nobody holds a lock"));
    desk.take("report", LONG);
    pages.forEach(page -> assertThat(page.locator(".body .row")).hasCount(1));
  }

  @Test
  void twoTabsShowWhatTheStoreHoldsAlsoWhileProcessesTellThousandsOfThings() throws Exception {
    ConsoleServer server = desk.serve(desk.console());
    Page one = desk.open(server.address());
    Page two = one.context().newPage();
    desk.watch(two);
    two.navigate(server.address());
    ConsoleTelemetry telling =
        desk.closing(ConsoleTelemetry.to(server.telemetryAddress(), "flood"));
    // Not the store that the page shows: its locks come and go faster than anybody can look.
    Locks flood = desk.closing(Locks.over(Telemetry.to(telling).over(new MemoryLockBackend())));
    AtomicBoolean over = new AtomicBoolean();
    CompletableFuture<Void> load = CompletableFuture.runAsync(() -> {
      for (int i = 0; !over.get(); i++) {
        flood.lock("busy:" + i % 2000).tryAcquire().ifPresent(Lease::close);
      }
    });
    desk.closing(() -> over.set(true));

    Deque<LockId> held = new ArrayDeque<>();
    for (int round = 0; round < 3; round++) {
      List<String> newest = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        String key = "job:" + round + ":" + i;
        held.add(desk.take(key, LONG.plusSeconds(held.size() + 1000L * round + i)));
        if (held.size() > 10) {
          desk.store.release(held.remove(), Cancellation.none());
        }
        if (i >= 190) {
          newest.add(LockKey.of(key).hash().hex().substring(0, 8));
        }
      }
      for (Page page : List.of(one, two)) {
        assertThat(page.locator(".total")).hasText("10 live locks");
        assertThat(page.locator(".body .row:visible code")).hasText(newest.toArray(String[]::new));
      }
      assertThat(load).as("the flood goes on").isNotDone();
    }
    over.set(true);
    load.join();
    assertThat(desk.complaints).isEmpty();
  }

  @Test
  void aFirestoreTellsOfDocumentsRequestsAndTransactions() {
    try (FirestoreServer firestore = Documents.start()) {
      Documents documents = new Documents(firestore);
      documents.writeCities();
      ConsoleServer server = desk.serve(
          Console.builder().firestore(URI.create("http://" + firestore.emulatorHost()), "demo"));
      Page page = open(server.address());
      assertThat(page.locator("#link")).hasText("live");
      assertThat(page.locator(".tree")).containsText("cities");
      page.waitForTimeout(1500);
      asked.clear();
      page.waitForTimeout(5000);
      assertThat(asked).hasSizeLessThan(3);

      documents.write("rivers", "spree", "{}");
      assertThat(page.locator(".tree")).containsText("rivers");
      page.keyboard().press("3");
      assertThat(page.locator("main h2")).hasText("Requests");
      documents.send("GET", "/secrets/one", "", "");
      assertThat(page.locator(".row.denied").first()).isVisible();
      page.keyboard().press("5");
      assertThat(page.locator(".card").first()).containsText("None.");
      documents.send("POST", ":beginTransaction", "owner", "{}");
      assertThat(page.locator(".card").first()).containsText("pessimistic");
    }
  }

  /** Not every emulator has the stream; then the page asks as it always has. */
  @Test
  void anEmulatorThatTellsNothingIsAsked() {
    try (FirestoreServer firestore = Documents.start();
        OtherEmulator other = OtherEmulator.before(firestore)) {
      Documents documents = new Documents(firestore);
      ConsoleServer server =
          desk.serve(Console.builder().firestore(URI.create(other.address()), "demo"));
      Page page = open(server.address());
      assertThat(page.locator(".empty h3")).hasText("No documents yet");
      documents.write("rivers", "spree", "{}");
      assertThat(page.locator(".tree")).containsText("rivers");
      page.keyboard().press("3");
      assertThat(page.locator(".empty h3")).hasText("This Firestore does not tell its requests");
      page.keyboard().press("5");
      assertThat(page.locator(".empty h3")).hasText("This Firestore does not tell");
    }
  }
}
