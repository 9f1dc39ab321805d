package dev.syncguard.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.telemetry.LockEvent;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
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
    desk.complaints.removeIf(text -> text.contains("ERR_INTERNET_DISCONNECTED"));
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
    desk.complaints.removeIf(text -> text.contains("ERR_CONNECTION") || text.contains("401"));
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

  /** Every frame of a scroll through all of them is counted, and so is how much of the table exists. */
  @Test
  void tenThousandLocksStayFluid() {
    for (int i = 0; i < 10_000; i++) {
      desk.take("job:" + i, LONG.plusSeconds(i));
    }
    Page page = desk.open(desk.serve(desk.console()).address());
    assertThat(page.locator(".total")).hasText("10,000 live locks");
    assertThat(page.locator(".rows .row").count()).isLessThan(60);

    List<?> frames = (List<?>) page.evaluate("""
        () => new Promise(done => {
          const grid = document.querySelector('.rows');
          const times = [];
          let before = performance.now();
          function frame(now) {
            times.push(now - before);
            before = now;
            grid.scrollTop += 1500;
            if (times.length < 200) requestAnimationFrame(frame);
            else done(times);
          }
          requestAnimationFrame(frame);
        })""");
    List<Double> sorted =
        frames.stream().map(time -> ((Number) time).doubleValue()).sorted().toList();
    double median = sorted.get(100);
    System.out.printf(
        "10,000 locks: frames of %.1f ms in the middle, %.1f ms at the 95th of 100, %.1f ms at worst%n",
        median, sorted.get(190), sorted.get(199));
    // What a script does in a frame must not grow with the table; a machine that is busy with
    // others may still stutter.
    double work = ((Number) page.evaluate("""
        () => { const grid = document.querySelector('.rows'); let most = [];
          for (let i = 0; i < 50; i++) { grid.scrollTop = i * 7000; const start = performance.now();
            grid.dispatchEvent(new Event('scroll')); grid.getBoundingClientRect(); most.push(performance.now() - start); }
          return most.sort((a, b) => a - b)[25]; }""")).doubleValue();
    assertThat(work).isLessThan(50);
    assertThat(page.locator(".rows .row").count()).isLessThan(60);

    page.locator(".rows").focus();
    page.keyboard().press("End");
    assertThat(page.locator(".row[aria-rowindex='10001'] code"))
        .hasText(hash("job:9999").substring(0, 8));
    page.locator("#filter").fill(hash("job:5000").substring(0, 12));
    assertThat(page.locator(".total")).containsText("of 10,000");
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
    assertThat(page.locator("#theme")).hasText("Light");
  }

  private static Object background(Page page) {
    return page.evaluate("getComputedStyle(document.body).backgroundColor");
  }

  private static String hash(String key) {
    return LockKey.of(key).hash().hex();
  }
}
