package dev.syncguard.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.BoundingBox;
import dev.syncguard.firestore.server.FirestoreServer;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a person can still see and read on the smallest and on the largest screen. */
class SizesIT {

  private static final int NARROW = 400;

  @RegisterExtension
  final Desk desk = new Desk();

  @BeforeEach
  void bePatient() {
    PlaywrightAssertions.setDefaultAssertionTimeout(60_000);
  }

  private static void assertSeen(Locator element) {
    assertThat(element).isVisible();
    BoundingBox box = element.boundingBox();
    assertThat(box.width).as("width of %s", element).isPositive();
    assertThat(box.x).as("left of %s", element).isNotNegative();
    assertThat(box.x + box.width).as("right of %s", element).isLessThanOrEqualTo(NARROW);
  }

  @Test
  void aNarrowWindowShowsTheTypesOfValuesAndAllThereIsToARequest() {
    try (FirestoreServer firestore = Documents.start()) {
      Documents documents = new Documents(firestore);
      documents.writeCities();
      documents.write(
          "cities", "x".repeat(300), "{\"" + "y".repeat(300) + "\": {\"stringValue\": \"z\"}}");
      ConsoleServer server = desk.serve(
          desk.console().firestore(URI.create("http://" + firestore.emulatorHost()), "demo"));
      Page page = desk.open(server.address());
      page.setViewportSize(NARROW, 800);
      String base = server.address().replaceAll("#.*", "#/");
      page.navigate(base + "data/cities/berlin");
      assertThat(page.locator(".fields tbody tr")).hasCount(8);
      for (Locator row : page.locator(".fields tbody tr").all()) {
        assertSeen(row.locator(".type").first());
        assertSeen(row.locator(".value").first());
      }
      page.locator("[aria-label='Edit tags']").click();
      page.locator("form.edit textarea").fill("no array");
      page.locator("form.edit button.primary").click();
      assertThat(page.locator(".wrong")).isInViewport();

      page.navigate(base + "data/cities/" + "x".repeat(300));
      assertThat(page.locator(".place h3")).hasText("x".repeat(300));
      assertSeen(page.locator(".fields .type"));
      assertSeen(page.locator(".fields .value"));

      page.navigate(base + "requests");
      assertThat(page.locator(".empty")).isVisible();
      documents.send("GET", "/cities/berlin", Documents.tokenOf("eve"), "");
      for (String column : List.of("time", "method", "path", "caller", "result", "took")) {
        assertSeen(page.locator(".head ." + column));
        assertSeen(page.locator(".body ." + column));
      }
    }
  }

  @Test
  void aNarrowWindowShowsAllThereIsToALockAndWhichViewIsOpen() {
    try (FirestoreServer firestore = Documents.start()) {
      desk.take("report", Duration.ofMinutes(5), "worker-1");
      ConsoleServer server = desk.serve(
          desk.console().firestore(URI.create("http://" + firestore.emulatorHost()), "demo"));
      Page page = desk.open(server.address());
      page.setViewportSize(NARROW, 800);
      assertThat(page.locator(".body .note")).hasText("worker-1");
      assertSeen(page.locator(".head .waiters"));
      for (String column : List.of("key", "note", "fence", "held", "left")) {
        assertSeen(page.locator(".head ." + column));
        assertSeen(page.locator(".body ." + column));
      }
      // The tenth of them has the last digit of the row.
      for (String digit : List.of("1", "2", "3", "4", "5", "6", "7", "8", "9", "0")) {
        page.keyboard().press(digit);
        assertThat(page.locator("#nav [aria-current] kbd")).hasText(digit);
        assertSeen(page.locator("#nav [aria-current]"));
      }
      assertThat(page.locator("main h2")).hasText("Tools");
    }
  }

  @Test
  void pictureTextsCanBeReadOnTheSmallestAndOnTheLargestScreen() {
    ConsoleServer server = desk.serve(desk.console());
    Traffic.begin(desk, server);
    Page page = desk.open(server.address());
    String base = server.address().replaceAll("#.*", "#/");
    for (int width : new int[] {NARROW, 1280, 3840}) {
      for (String view : List.of("timeline", "waits", "times")) {
        page.setViewportSize(width, width == NARROW ? 800 : width * 9 / 16);
        page.navigate(base + "locks");
        page.navigate(base + view);
        assertThat(page.locator("main." + view + " svg text").first()).isVisible();
        double size = ((Number) page.evaluate("""
            () => Math.min(...[...document.querySelectorAll('main svg text')]
                .map(text => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a))
            """)).doubleValue();
        // A little below the smallest text beside it.
        assertThat(size).as(view + " at " + width).isGreaterThanOrEqualTo(width == 3840 ? 18 : 9);
      }
    }
  }
}
