package dev.syncguard.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.Lease;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.telemetry.LockEvent;
import dev.syncguard.lock.telemetry.Telemetry;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a person sees of locks, and does about them. */
class LocksIT {

  private static final Duration LONG = Duration.ofMinutes(10);

  @RegisterExtension
  final Desk desk = new Desk();

  @BeforeEach
  void bePatient() {
    com.microsoft.playwright.assertions.PlaywrightAssertions.setDefaultAssertionTimeout(60_000);
  }

  @AfterEach
  void nothingWasComplainedAbout() {
    assertThat(desk.complaints).isEmpty();
  }

  @Test
  void aLockAppearsWhenItIsTakenAndGoesWhenItIsReleased() {
    Page page = desk.open(desk.serve(desk.console()).address());
    assertThat(page.locator(".empty h3")).hasText("Nobody holds a lock");
    assertThat(page.locator(".empty pre").first()).containsText("./syncguard run");

    LockId id = desk.take("report", LONG);
    assertThat(page.locator(".body .row code")).hasText(hash("report").substring(0, 8));
    assertThat(page.locator(".total")).hasText("1 live lock");
    assertThat(page.locator("body")).not().containsText("report");

    desk.store.release(id, Cancellation.none());
    assertThat(page.locator(".empty h3")).hasText("Nobody holds a lock");
  }

  @Test
  void theKeyboardAloneSortsFiltersFollowsAndFindsByName() {
    for (int i = 0; i < 50; i++) {
      desk.take("job:" + i, LONG.plusSeconds(i));
    }
    Page page = desk.open(desk.serve(desk.console()).address());
    assertThat(page.locator(".total")).hasText("50 live locks");
    Locator grid = page.getByRole(com.microsoft.playwright.options.AriaRole.GRID);
    assertThat(grid).hasAttribute("aria-rowcount", "51");

    // Soonest to expire first; turned round, the last one leads.
    assertThat(page.locator(".row[aria-rowindex='2'] code"))
        .hasText(hash("job:0").substring(0, 8));
    page.keyboard().press("d");
    assertThat(page.locator(".row[aria-rowindex='2'] code"))
        .hasText(hash("job:49").substring(0, 8));
    page.keyboard().press("d");

    grid.focus();
    page.keyboard().press("j");
    page.keyboard().press("ArrowDown");
    page.keyboard().press("Enter");
    assertThat(page.locator(".side .hash code")).hasText(hash("job:1"));
    page.keyboard().press("Escape");
    assertThat(page.locator(".side")).isHidden();

    page.keyboard().press("/");
    page.keyboard().type("job:33");
    assertThat(page.locator(".empty h3")).hasText("No lock matches");
    page.keyboard().press("Enter");
    assertThat(page.locator(".side h3")).hasText("job:33");
    assertThat(page.locator(".side .hash code")).hasText(hash("job:33"));

    page.keyboard().press("Escape");
    page.keyboard().press("?");
    assertThat(page.locator("dialog#help")).isVisible();
    assertThat(page.locator("dialog#help")).containsText("Follow the selected key");
    page.keyboard().press("Escape");
    page.keyboard().press("2");
    assertThat(page.locator("main h2")).hasText("Timeline");
  }

  @Test
  void anOperatorEndsALeaseOnlyAfterTypingItsKey() {
    List<LockEvent> told = new CopyOnWriteArrayList<>();
    desk.take("payments", LONG);
    Page page =
        desk.open(desk.serve(desk.console().admin(true).telemetry(told::add)).address());
    page.locator(".body .row").click();
    page.locator(".side summary", new Page.LocatorOptions().setHasText("End this lease"))
        .click();

    page.locator("#release-name").fill("payment");
    page.locator("button.danger").click();
    assertThat(page.locator("#toast")).containsText("another key. Nothing was changed");
    assertThat(desk.store.isLocked(LockKey.of("payments"), Cancellation.none())).isTrue();
    assertThat(told).isEmpty();

    page.locator("#release-name").fill("payments");
    page.locator("button.danger").click();
    assertThat(page.locator("#toast")).containsText("its holder may not know yet");
    assertThat(desk.store.isLocked(LockKey.of("payments"), Cancellation.none())).isFalse();
    assertThat(told).extracting(LockEvent::type).containsExactly(LockEvent.Type.FORCE_RELEASE);
    assertThat(page.locator(".side tr.bad")).containsText("ended by an operator");
    desk.complaints.removeIf(text -> text.contains("409")); // the browser's own note of the refusal
  }

  @Test
  void notesAreShownAndANameIsRevealedOnlyWhenAskedFor() {
    desk.take("payments", LONG, "billing on host-7");
    Page page = desk.open(desk.serve(desk.console()).address());
    assertThat(page.locator(".row .note").last()).hasText("billing on host-7");
    assertThat(page.locator("body")).not().containsText("payments");
    page.locator(".body .row").click();
    page.locator(".side summary").first().click();
    page.getByText("Reveal its name").click();
    assertThat(page.locator(".side h3")).hasText("payments");
    assertThat(page.locator(".body .row .name")).hasText("payments");

    Page raw = desk.open(desk.serve(desk.console().raw(true)).address());
    assertThat(raw.locator(".body .row .name")).hasText("payments");
  }

  @Test
  void withoutAdminNothingCanBeEnded() {
    desk.take("payments", LONG);
    Page page = desk.open(desk.serve(desk.console()).address());
    page.locator(".body .row").click();
    assertThat(page.locator(".side .facts")).containsText("Fence");
    assertThat(page.getByText("End this lease")).hasCount(0);

    Object answer = page.evaluate("""
        key => import('./page/api.js').then(api => api.post('api/release', {key, name: 'payments'}))
            .then(() => 'done', error => error.status + ' ' + error.message)""", hash("payments"));
    assertThat((String) answer).startsWith("403 This console only looks");
    assertThat(desk.store.isLocked(LockKey.of("payments"), Cancellation.none())).isTrue();
    desk.complaints.removeIf(text -> text.contains("403")); // the browser's own note of the refusal
  }

  @Test
  void aStoreThatGoesAwayIsToldAndComesBack() {
    AtomicBoolean away = new AtomicBoolean();
    desk.take("report", LONG);
    Page page = desk.open(desk.serve(
            Console.builder().locks(unreliable(away), "memory").interval(Duration.ofMillis(100)))
        .address());
    assertThat(page.locator(".body .row")).hasCount(1);
    away.set(true);
    assertThat(page.locator("#banner")).containsText("ServiceUnavailable: gone fishing");
    assertThat(page.locator(".body .row")).hasCount(1); // what was known stays
    away.set(false);
    assertThat(page.locator("#banner .finding")).hasCount(0);
  }

  private LockBackend unreliable(AtomicBoolean away) {
    return (LockBackend) Proxy.newProxyInstance(
        getClass().getClassLoader(), new Class<?>[] {LockBackend.class}, (proxy, method, args) -> {
          if (away.get() && method.getName().equals("listing")) {
            throw new LockException(LockException.Code.SERVICE_UNAVAILABLE, "gone fishing");
          }
          try {
            return method.invoke(desk.store, args);
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
        });
  }

  @Test
  void aConsoleThatGoesAwayIsToldAndRecoveredFrom() {
    desk.take("report", LONG);
    Page page = desk.open(desk.serve(desk.console()).address());
    assertThat(page.locator(".body .row")).hasCount(1);
    page.context().setOffline(true);
    assertThat(page.locator("#banner")).containsText("It does not answer");
    assertThat(page.locator("#link")).hasText("not connected");
    desk.take("another", LONG);
    page.context().setOffline(false);
    assertThat(page.locator("#banner .finding")).hasCount(0);
    assertThat(page.locator(".body .row")).hasCount(2);
    desk.complaints.removeIf(text -> text.contains("net::ERR_"));
  }

  @Test
  void aConsoleThatWasStartedAnewAsksForItsNewAddress() {
    ConsoleServer first = desk.serve(desk.console());
    Page page = desk.open(first.address());
    assertThat(page.locator(".empty h3")).hasText("Nobody holds a lock");
    int port = first.telemetryAddress().getPort();
    first.close();
    assertThat(page.locator("#link")).hasText("not connected");
    ConsoleServer second = desk.serve(desk.console(), port);
    assertThat(page.locator(".empty h2")).hasText("Open the address that was printed");

    page.navigate(second.address());
    assertThat(page.locator(".empty h3")).hasText("Nobody holds a lock");
    // The browser's own notes of a server that goes away, also in the middle of a stream.
    desk.complaints.removeIf(text -> text.contains("net::ERR_") || text.contains("401"));
  }

  @Test
  void twoTabsShowTheSame() {
    desk.take("payments", LONG);
    ConsoleServer server = desk.serve(desk.console().admin(true));
    Page one = desk.open(server.address());
    Page two = one.context().newPage();
    desk.watch(two);
    two.navigate(server.address());
    assertThat(one.locator(".body .row")).hasCount(1);
    assertThat(two.locator(".body .row")).hasCount(1);
    one.locator(".body .row").click();
    one.locator(".side summary", new Page.LocatorOptions().setHasText("End this lease"))
        .click();
    one.locator("#release-name").fill("payments");
    one.locator("button.danger").click();

    assertThat(two.locator(".empty h3")).hasText("Nobody holds a lock");
    one.reload(); // the token stays in the tab
    assertThat(one.locator("#link")).hasText("live");
  }

  @Test
  void waitsHandOffsAndLossesAreShownAsProcessesTellThem() {
    ConsoleServer server = desk.serve(desk.console());
    Locks billing = telling(server, "billing");
    Locks search = telling(server, "search");
    Page page = desk.open(server.address());
    assertThat(page.locator("main h2")).hasText("Locks");
    page.keyboard().press("3");
    assertThat(page.locator(".empty h3")).hasText("No process tells the console what it does");
    Lease first = billing.lock("report").acquire();
    CompletableFuture<Lease> next =
        search.lock("report").waitUpTo(Duration.ofMinutes(2)).acquireAsync();
    assertThat(page.locator("svg.waits .edge.holds")).hasCount(1);
    assertThat(page.locator("svg.waits .edge.waits")).hasCount(1);
    assertThat(page.locator(".sentences li").last()).containsText("search");
    assertThat(page.locator(".sentences li").last()).containsText("waits for");
    page.keyboard().press("1");
    assertThat(page.locator(".body .row .waiters")).hasText("1");
    assertThat(page.locator(".body .row .note"))
        .hasText("billing " + ProcessHandle.current().pid());
    page.locator(".body .row").click();
    assertThat(page.locator(".side .facts")).containsText("billing");

    first.close();
    Lease second = next.join();
    desk.store.forceRelease(LockKey.of("report"), Cancellation.none());
    second.close();
    page.keyboard().press("2");
    assertThat(page.locator(".strip-row .hold")).hasCount(2);
    assertThat(page.locator(".strip-row .wait")).hasCount(1);
    assertThat(page.locator(".strip-row .handoff")).hasCount(1);
    assertThat(page.locator(".strip-row .loss")).hasCount(1);
    page.keyboard().press("4");
    assertThat(page.locator(".chart").first()).containsText("2 times since the console started");
    assertThat(page.locator(".chart").last()).containsText("2 times since the console started");
  }

  private Locks telling(ConsoleServer server, String name) {
    ConsoleTelemetry telemetry = desk.closing(ConsoleTelemetry.to(server.telemetryAddress(), name));
    return desk.closing(Locks.over(Telemetry.to(telemetry).over(desk.store)));
  }

  @Test
  void colourFollowsTheSystemUntilSomebodyChooses() {
    Page page = desk.open(
        desk.serve(desk.console()).address(),
        new Browser.NewContextOptions()
            .setColorScheme(com.microsoft.playwright.options.ColorScheme.DARK));
    assertThat(background(page)).isEqualTo("rgb(15, 20, 23)");
    page.keyboard().press("t");
    assertThat(background(page)).isEqualTo("rgb(246, 247, 248)");
    page.reload();
    assertThat(page.locator("#theme")).hasText("◐ Light");
  }

  private static Object background(Page page) {
    return page.evaluate("getComputedStyle(document.body).backgroundColor");
  }

  private static String hash(String key) {
    return LockKey.of(key).hash().hex();
  }
}
