package dev.syncguard.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.microsoft.playwright.CDPSession;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import dev.syncguard.lock.LockKey;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Ten thousand locks are no more work to scroll through than a hundred. Frames are timed and printed; what is judged is
 * counted, so that it is the same on a busy machine: elements that exist, elements that change, functions that are called.
 */
class FluidIT {

  private static final Duration LONG = Duration.ofMinutes(10);

  @RegisterExtension
  final Desk desk = new Desk();

  @BeforeEach
  void bePatient() {
    PlaywrightAssertions.setDefaultAssertionTimeout(60_000);
  }

  /**
   * What one scroll through part of the table costs.
   *
   * @param elements how many exist in the table at most
   * @param changes how many elements and texts were changed
   * @param calls how often functions of the page were called
   * @param frames how long the frames took, in milliseconds, the shortest first
   */
  private record Scroll(long elements, long changes, long calls, List<Double> frames) {}

  @Test
  void tenThousandLocksAreNoMoreWorkThanAHundred() {
    takeUpTo(0, 100);
    Page page = desk.open(desk.serve(desk.console()).address());
    assertThat(page.locator(".total")).hasText("100 live locks");
    Scroll few = scroll(page);
    takeUpTo(100, 10_000);
    assertThat(page.locator(".total")).hasText("10,000 live locks");
    Scroll many = scroll(page);

    print("  100 locks", few);
    print("10,000 locks", many);
    assertThat(many.elements()).isLessThan(1500).isLessThanOrEqualTo(few.elements() * 11 / 10);
    assertThat(many.changes()).isLessThan(few.changes() * 2);
    assertThat(many.calls()).isLessThan(few.calls() * 2);
  }

  @Test
  void allOfTenThousandAreReachedByKeyboardAndFilter() {
    takeUpTo(0, 10_000);
    Page page = desk.open(desk.serve(desk.console()).address());
    assertThat(page.locator(".total")).hasText("10,000 live locks");
    page.locator(".rows").focus();
    page.keyboard().press("End");
    assertThat(page.locator(".row[aria-rowindex='10001'] code")).hasText(shortHash("job:9999"));
    page.keyboard().press("Home");
    assertThat(page.locator(".row[aria-rowindex='2'] code")).hasText(shortHash("job:0"));
    page.locator("#filter").fill(LockKey.of("job:5000").hash().hex().substring(0, 12));
    assertThat(page.locator(".total")).containsText("of 10,000");
    assertThat(page.locator(".body .row code").first()).hasText(shortHash("job:5000"));
  }

  private void takeUpTo(int from, int to) {
    for (int i = from; i < to; i++) {
      desk.take("job:" + i, LONG.plusSeconds(i));
    }
  }

  private static Scroll scroll(Page page) {
    CDPSession devtools = page.context().newCDPSession(page);
    devtools.send("Profiler.enable");
    JsonObject precise = new JsonObject();
    precise.addProperty("callCount", true);
    precise.addProperty("detailed", false);
    devtools.send("Profiler.startPreciseCoverage", precise);
    List<?> measured = (List<?>) page.evaluate("""
        () => new Promise(done => {
          const grid = document.querySelector('.rows');
          let changes = 0;
          let elements = 0;
          const observer = new MutationObserver(records => { changes += records.length; });
          observer.observe(grid, {subtree: true, childList: true, characterData: true, attributes: true});
          const times = [];
          let before = performance.now();
          grid.scrollTop = 0;
          function frame(now) {
            times.push(now - before);
            before = now;
            elements = Math.max(elements, grid.querySelectorAll('*').length);
            grid.scrollTop = (times.length % 2 ? 50 : 2) * 30;
            if (times.length < 120) requestAnimationFrame(frame);
            else { observer.disconnect(); done([elements, changes, times.sort((a, b) => a - b)]); }
          }
          requestAnimationFrame(frame);
        })""");
    long calls = 0;
    for (var script : devtools.send("Profiler.takePreciseCoverage").getAsJsonArray("result")) {
      if (script.getAsJsonObject().get("url").getAsString().contains("/page/")) {
        for (var function : script.getAsJsonObject().getAsJsonArray("functions")) {
          calls += function
              .getAsJsonObject()
              .getAsJsonArray("ranges")
              .get(0)
              .getAsJsonObject()
              .get("count")
              .getAsLong();
        }
      }
    }
    devtools.send("Profiler.disable");
    devtools.detach();
    return new Scroll(
        ((Number) measured.get(0)).longValue(),
        ((Number) measured.get(1)).longValue(),
        calls,
        ((List<?>) measured.get(2))
            .stream().map(time -> ((Number) time).doubleValue()).toList());
  }

  private static void print(String what, Scroll scroll) {
    System.out.printf(
        "%s: %d elements, %d changes, %d calls; frames of %.1f ms in the middle, %.1f ms at the 95th of 100%n",
        what,
        scroll.elements(),
        scroll.changes(),
        scroll.calls(),
        scroll.frames().get(60),
        scroll.frames().get(114));
  }

  private static String shortHash(String key) {
    return LockKey.of(key).hash().hex().substring(0, 8);
  }
}
