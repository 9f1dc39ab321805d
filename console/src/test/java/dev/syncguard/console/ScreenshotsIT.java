package dev.syncguard.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.ViewportSize;
import dev.syncguard.firestore.server.FirestoreServer;
import dev.syncguard.lock.LockKey;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * What the console looks like. The pictures go to {@code target/screenshots}; with {@code -Dscreenshots=../docs/images} they
 * replace those of the guide.
 */
class ScreenshotsIT {

  private static final Path DIRECTORY =
      Path.of(System.getProperty("screenshots", "target/screenshots"));

  @RegisterExtension
  final Desk desk = new Desk();

  @Test
  void everyViewOfLocksFitsItsWindow() {
    ConsoleServer server = desk.serve(desk.console().admin(true));
    Page page = desk.open(server.address());
    page.locator(".empty").waitFor();
    take(page, "empty");
    String[] names = {
      "nightly-report",
      "invoice:2041",
      "reindex",
      "user:ada",
      "mail-queue",
      "cache:warm-up",
      "migrate"
    };
    for (int i = 0; i < 34; i++) {
      desk.take(
          names[i % names.length] + (i < names.length ? "" : ":" + i * 31),
          Duration.ofSeconds(20 + i * 7),
          i % 3 == 0 ? "" : "worker-" + (i % 4 + 1) + " on host-" + (i % 2 + 1));
    }
    desk.take("stale-cache", Duration.ofSeconds(2), "worker-2 on host-1");
    Traffic.begin(desk, server);
    page.locator(".body .row").first().waitFor();
    // Until there is something to see of a contended key.
    String contended = LockKey.of("account:3").hash().hex();
    String base = server.address().replaceAll("#.*", "#/");
    page.navigate(base + "locks/" + contended);
    page.locator(".side tbody tr").nth(4).waitFor();
    page.navigate(base + "locks");
    take(page, "locks");
    page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.DARK));
    take(page, "locks-dark");
    page.navigate(base + "locks/" + contended);
    page.locator(".side tbody tr").nth(4).waitFor();
    take(page, "follow-dark");
    page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.LIGHT));
    take(page, "follow");
    page.setViewportSize(400, 800);
    take(page, "follow-narrow");
    page.keyboard().press("Escape");
    take(page, "locks-narrow");
    page.setViewportSize(3840, 2160);
    take(page, "locks-4k");
    page.setViewportSize(1280, 800);
    for (String view : new String[] {"timeline", "waits", "times"}) {
      page.navigate(base + view);
      page.locator("main." + view).waitFor();
      page.locator(
              view.equals("waits")
                  ? "svg.waits"
                  : view.equals("times") ? ".histogram" : ".strips .hold")
          .first()
          .waitFor();
      take(page, view);
    }
    page.keyboard().press("?");
    take(page, "keys");
  }

  @Test
  void everyViewOfFirestoreFitsItsWindow() {
    try (FirestoreServer firestore = Documents.start()) {
      Documents documents = new Documents(firestore);
      documents.writeCities();
      documents.write("users", "ada", "{\"name\": {\"stringValue\": \"Ada\"}}");
      ConsoleServer server = desk.serve(
          Console.builder().firestore(URI.create("http://" + firestore.emulatorHost()), "demo"));
      Page page = desk.open(server.address());
      page.locator(".tree a", new Page.LocatorOptions().setHasText("cities")).click();
      page.locator(".place tbody tr").first().waitFor();
      take(page, "collection");
      page.locator(".place a", new Page.LocatorOptions().setHasText("berlin")).click();
      page.locator(".fields .nested").first().waitFor();
      page.locator(".fields .nested summary").first().click();
      page.locator(".fields .nested dl").first().waitFor();
      take(page, "data");
      page.setViewportSize(400, 800);
      take(page, "data-narrow");
      page.setViewportSize(1280, 800);
      String base = server.address().replaceAll("#.*", "#/");
      page.navigate(base + "query");
      page.locator("#query-collection").fill("cities");
      page.getByText("Add a filter").click();
      page.locator(".lines .name").fill("capital");
      page.locator("[aria-label='Type']").selectOption("boolean");
      page.locator(".value-input").fill("true");
      page.getByText("Add an order").click();
      page.locator("[aria-label='Field to order by']").fill("population");
      page.locator("button.primary").click();
      page.locator(".results tbody tr").first().waitFor();
      take(page, "query");
      page.navigate(base + "requests");
      page.locator(".empty").waitFor();
      for (String path :
          new String[] {"/cities/lima", "/cities", "/secrets/plan", "/cities/oslo"}) {
        documents.send("GET", path, path.length() % 2 == 0 ? "" : Documents.tokenOf("eve"), "");
      }
      documents.send(
          "PATCH",
          "/cities/berlin?updateMask.fieldPaths=name",
          Documents.tokenOf("eve"),
          "{\"fields\":{\"name\":{\"stringValue\":\"x\"}}}");
      documents.send(
          "PATCH",
          "/cities/berlin?updateMask.fieldPaths=name",
          Documents.tokenOf("ada"),
          "{\"fields\":{\"name\":{\"stringValue\":\"Berlin\"}}}");
      page.locator(".row.denied").first().click();
      page.locator(".steps").waitFor();
      take(page, "requests");
      page.navigate(base + "rules");
      page.locator(".expr.both").first().waitFor();
      take(page, "rules");
      String first = documents.reading("cities/berlin");
      documents.reading("cities/lima");
      Runnable stop = documents.listen("ada", "cities/berlin");
      page.navigate(base + "activity");
      page.locator("tbody tr").nth(2).waitFor();
      take(page, "activity");
      stop.run();
      documents.send("POST", ":rollback", "owner", "{\"transaction\":\"" + first + "\"}");
      page.navigate(base + "tools");
      page.getByText("Take a snapshot").click();
      page.locator(".sentences li").waitFor();
      page.locator("#toast.shown").waitFor();
      take(page, "tools");
    }
  }

  private static void take(Page page, String name) {
    page.screenshot(
        new Page.ScreenshotOptions().setPath(DIRECTORY.resolve("console-" + name + ".png")));
    ViewportSize size = page.viewportSize();
    assertFits(page, name);
    for (int width : new int[] {400, 3840}) {
      page.setViewportSize(width, width == 400 ? 800 : 2160);
      assertFits(page, name + " at " + width);
    }
    page.setViewportSize(size.width, size.height);
  }

  private static void assertFits(Page page, String what) {
    assertThat(page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"))
        .as("nothing sticks out of " + what)
        .isEqualTo(true);
  }
}
