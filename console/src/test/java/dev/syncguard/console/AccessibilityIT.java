package dev.syncguard.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import dev.syncguard.firestore.server.FirestoreServer;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Whether the console serves those who do not see it or do not use a mouse. */
class AccessibilityIT {

  @RegisterExtension
  final Desk desk = new Desk();

  @Test
  void noViewOfLocksViolatesARule() {
    ConsoleServer server = desk.serve(desk.console().admin(true));
    Page page = desk.open(server.address());
    page.locator(".empty").waitFor();
    check(page, "no locks");
    Traffic traffic = Traffic.begin(desk, server);
    page.locator(".body .row").first().waitFor();
    check(page, "locks");
    page.locator(".body .row").first().click();
    page.locator(".side table").waitFor();
    page.locator(".side summary").first().click();
    page.locator(".side summary").last().click();
    check(page, "a followed key");
    page.keyboard().press("Escape");
    page.keyboard().press("?");
    page.locator("dialog[open]").waitFor();
    check(page, "help");
    page.keyboard().press("Escape");
    page.keyboard().press("2");
    page.locator(".strip-row .hold").first().waitFor();
    check(page, "timeline");
    page.keyboard().press("3");
    page.locator("svg.waits").waitFor();
    check(page, "waits");
    page.keyboard().press("4");
    page.locator(".histogram").first().waitFor();
    check(page, "times");
    page.setViewportSize(400, 800);
    page.keyboard().press("1");
    page.locator(".body .row").first().waitFor();
    check(page, "narrow");
    assertThat(traffic.isRunning()).isTrue();
  }

  @Test
  void noViewOfFirestoreViolatesARule() {
    try (FirestoreServer server = Documents.start()) {
      Documents documents = new Documents(server);
      documents.writeCities();
      ConsoleServer console = desk.serve(
          Console.builder().firestore(URI.create("http://" + server.emulatorHost()), "demo"));
      Page page = desk.open(console.address());
      page.locator(".tree a").first().click();
      page.locator(".place tbody tr").first().waitFor();
      check(page, "a collection");
      page.locator(".place a", new Page.LocatorOptions().setHasText("berlin")).click();
      page.locator(".fields").waitFor();
      page.locator("[aria-label='Edit population']").click();
      check(page, "a document");
      page.navigate(page.url().replaceAll("#.*", "#/query"));
      page.locator("#query-collection").fill("cities");
      page.getByText("Add a filter").click();
      page.locator(".lines .name").fill("name");
      page.locator(".value-input").fill("Lima");
      page.getByText("Add an order").click();
      page.locator("[aria-label='Field to order by']").fill("population");
      page.locator("button.primary").click();
      page.locator(".results tbody tr").first().waitFor();
      check(page, "query");
      page.navigate(page.url().replaceAll("#.*", "#/requests"));
      page.locator(".empty").waitFor();
      documents.send("GET", "/secrets/one", Documents.tokenOf("eve"), "");
      page.locator(".row.denied").click();
      page.locator(".steps").waitFor();
      check(page, "requests");
      page.navigate(page.url().replaceAll("#.*", "#/rules"));
      page.locator(".code.rules").waitFor();
      check(page, "rules");
      documents.send("POST", ":beginTransaction", "owner", "{}");
      page.navigate(page.url().replaceAll("#.*", "#/activity"));
      page.locator("tbody tr").first().waitFor();
      check(page, "activity");
      page.navigate(page.url().replaceAll("#.*", "#/tools"));
      page.locator("#directory").waitFor();
      check(page, "tools");
    }
  }

  @Test
  void whoHasNoTokenIsToldWhatToDo() {
    ConsoleServer server = desk.serve(desk.console());
    Page page = desk.open(server.address().replaceAll("#.*", ""));
    page.locator(".empty").waitFor();
    check(page, "without a token");
  }

  static void check(Page page, String what) {
    for (ColorScheme scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
      page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(scheme));
      page.waitForTimeout(200); // until colours have changed
      AxeCore.assertNoViolation(page, what + ", " + scheme);
    }
  }
}
