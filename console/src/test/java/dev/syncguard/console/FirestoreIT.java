package dev.syncguard.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import dev.syncguard.firestore.server.FirestoreServer;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a person sees of a Firestore, and does to it. */
class FirestoreIT {

  @RegisterExtension
  final Desk desk = new Desk();

  private FirestoreServer server = Documents.start();
  private Documents documents = new Documents(server);

  @BeforeEach
  void bePatient() {
    PlaywrightAssertions.setDefaultAssertionTimeout(60_000);
  }

  @AfterEach
  void nothingWasComplainedAbout() {
    server.close();
    // The browser's own note of a refusal, such as of a document that is gone.
    desk.complaints.removeIf(text -> text.contains("Failed to load resource"));
    assertThat(desk.complaints).isEmpty();
  }

  private Page open(String view) {
    ConsoleServer console = desk.serve(
        Console.builder().firestore(URI.create("http://" + server.emulatorHost()), "demo"));
    Page page = desk.open(console.address());
    assertThat(page.locator("main h2")).hasText("Data");
    page.navigate(console.address().replaceAll("#.*", "#/" + view));
    return page;
  }

  @Test
  void documentsAreATreeWithTypesAndChangeAsTheyAreWritten() {
    Page page = open("data");
    assertThat(page.locator(".empty h3")).hasText("No documents yet");
    documents.writeCities();
    page.locator(".tree a", new Page.LocatorOptions().setHasText("cities")).click();
    assertThat(page.locator(".place tbody tr")).hasCount(6);
    page.locator(".place a", new Page.LocatorOptions().setHasText("berlin")).click();
    assertThat(page.locator(".fields tr", new Page.LocatorOptions().setHasText("population"))
            .locator(".type"))
        .hasText("integer");
    assertThat(page.locator(".fields tr", new Page.LocatorOptions().setHasText("founded")))
        .containsText("1237-01-01T00:00:00Z");
    assertThat(page.locator(".tree")).containsText("districts");

    documents.send(
        "PATCH",
        "/cities/berlin?updateMask.fieldPaths=population",
        "owner",
        "{\"fields\":{\"population\":{\"integerValue\":\"42\"}}}");
    assertThat(page.locator(".fields tr", new Page.LocatorOptions().setHasText("population")))
        .containsText("42");
  }

  @Test
  void fieldsAndDocumentsAreAddedEditedAndDeleted() {
    documents.writeCities();
    Page page = open("data/cities/berlin");
    page.locator("[aria-label='Edit population']").click();
    page.locator("form.edit textarea").fill("many");
    page.locator("form.edit button.primary").click();
    assertThat(page.locator(".wrong")).containsText("An integer is a whole number");
    page.locator("form.edit textarea").fill("4000000");
    page.locator("form.edit button.primary").click();
    assertThat(page.locator(".fields tr", new Page.LocatorOptions().setHasText("population")))
        .containsText("4000000");
    page.locator("[aria-label='Remove capital']").click();
    assertThat(page.locator("[aria-label='Edit capital']")).hasCount(0);
    assertThat(documents.send("GET", "/cities/berlin", "owner", "").body())
        .contains("\"4000000\"", "Berlin")
        .doesNotContain("capital");

    page.getByText("Add a collection below").click();
    page.locator("#new-collection").fill("parks & gärten");
    page.locator("#new-id").fill("tiergarten");
    page.locator("form.new button.primary").click();
    assertThat(page.locator(".place h3")).hasText("tiergarten");
    page.getByText("Delete", new Page.GetByTextOptions().setExact(true)).click();
    page.getByText("Delete it").click();
    assertThat(page.locator("#toast")).hasText("Deleted.");
    assertThat(documents
            .send("GET", "/cities/berlin/parks%20%26%20g%C3%A4rten/tiergarten", "owner", "")
            .statusCode())
        .isEqualTo(404);
  }

  @Test
  void aQueryTellsTheIndexThatItNeedsAndHowItRan() {
    documents.writeCities();
    Page page = open("query");
    page.locator("#query-collection").fill("cities");
    page.getByText("Add a filter").click();
    page.locator(".lines .name").fill("capital");
    page.locator("[aria-label='Type']").selectOption("boolean");
    page.locator(".value-input").fill("true");
    page.getByText("Add an order").click();
    page.locator("[aria-label='Field to order by']").fill("population");
    page.locator("[aria-label='Direction']").selectOption("DESCENDING");
    page.locator("button.primary").click();

    assertThat(page.locator(".results tbody tr")).hasCount(6);
    assertThat(page.locator(".results tbody tr").first()).containsText("cities/lagos");
    assertThat(page.locator(
            ".card", new Page.LocatorOptions().setHasText("Index that production would want")))
        .containsText("\"collectionGroup\": \"cities\"");
    assertThat(page.locator(".card", new Page.LocatorOptions().setHasText("Plan that ran")))
        .containsText("population DESC");
  }

  @Test
  void requestsAreShownWithTheirCallersAndADenialWithItsReasons() {
    documents.writeCities();
    Page page = open("requests");
    assertThat(page.locator(".empty h3")).hasText("No requests yet");
    String token = Documents.tokenOf("eve");
    documents.send("GET", "/cities/berlin", "", "");
    documents.send(
        "PATCH",
        "/cities/berlin?updateMask.fieldPaths=name",
        token,
        "{\"fields\":{\"name\":{\"stringValue\":\"x\"}}}");

    assertThat(page.locator(".body .row")).hasCount(2);
    assertThat(page.locator(".row[aria-rowindex='3']")).containsText("anonymous");
    assertThat(page.locator(".row[aria-rowindex='3']")).containsText("allowed");
    assertThat(page.locator(".row.denied")).containsText("user eve");
    page.locator(".row.denied").click();
    assertThat(page.locator(".steps")).containsText("request.auth.uid == owner");
    assertThat(page.locator(
                ".steps li", new Page.LocatorOptions().setHasText("request.auth.uid == owner"))
            .last())
        .containsText("= false");
    assertThat(page.locator(".steps")).containsText("'eve'");
    assertThat(page.locator(".steps")).containsText("'ada'");
    assertThat(page.content()).doesNotContain(token, token.split("\\.", -1)[1]);

    page.keyboard().press("Escape");
    page.getByText("Denied only").click();
    assertThat(page.locator(".body .row")).hasCount(1);
  }

  @Test
  void requestsToAServerThatWasStartedAnewReplaceThoseToTheOneBefore() {
    documents.writeCities();
    Page page = open("requests");
    assertThat(page.locator(".empty h3")).hasText("No requests yet");
    for (int i = 0; i < 20; i++) {
      documents.send("GET", "/cities/before" + i, "", "");
    }
    assertThat(page.locator(".body .row")).hasCount(20);
    int port = server.port();
    server.close();
    assertThat(page.locator(".nothing")).containsText("The Firestore does not answer");
    server = FirestoreServer.builder().port(port).requestLog(true).start();
    documents = new Documents(server);
    documents.send("GET", "/cities/after1", "", "");
    documents.send("GET", "/cities/after2", "", "");
    assertThat(page.locator(".body .row")).hasCount(2);
    assertThat(page.locator(".rows")).containsText("cities/after1");
    assertThat(page.locator(".nothing")).isEmpty();
  }

  @Test
  void theRulesAreColouredByWhatTheyDid() {
    documents.writeCities();
    Page page = open("rules");
    assertThat(page.locator(".code.rules")).containsText("allow read: if true");
    assertThat(page.locator(".expr.never").first()).isVisible();
    documents.send(
        "PATCH",
        "/cities/berlin?updateMask.fieldPaths=name",
        Documents.tokenOf("eve"),
        "{\"fields\":{\"name\":{\"stringValue\":\"x\"}}}");
    documents.send(
        "PATCH",
        "/cities/berlin?updateMask.fieldPaths=name",
        Documents.tokenOf("ada"),
        "{\"fields\":{\"name\":{\"stringValue\":\"x\"}}}");
    assertThat(page.locator(".expr.both", new Page.LocatorOptions().setHasText("isOwner")))
        .hasAttribute("title", "false ×1, true ×1");
  }

  @Test
  void openTransactionsAreShownWithTheirLocks() {
    documents.writeCities();
    String id = documents
        .send("POST", ":beginTransaction", "owner", "{}")
        .body()
        .replaceAll("(?s).*\"transaction\": \"([^\"]+)\".*", "$1");
    documents.send(
        "POST",
        ":batchGet",
        "owner",
        "{\"transaction\":\"" + id
            + "\",\"documents\":[\"projects/demo/databases/(default)/documents/cities/lima\"]}");
    Page page = open("activity");
    assertThat(page.locator(".card").first()).containsText("pessimistic");
    assertThat(page.locator(".card").first()).containsText("cities/lima");
    documents.send("POST", ":rollback", "owner", "{\"transaction\":\"" + id + "\"}");
    assertThat(page.locator(".card").first()).containsText("None.");
  }

  @Test
  void aSnapshotBringsBackWhatWasClearedAndClearingWantsTheProject() {
    documents.writeCities();
    Page page = open("tools");
    page.getByText("Take a snapshot").click();
    assertThat(page.locator(".sentences")).containsText("7 documents of demo");
    page.getByText("Delete all documents").click();
    assertThat(page.locator("#toast")).containsText("Nothing was deleted");
    assertThat(documents.send("GET", "/cities/oslo", "owner", "").statusCode()).isEqualTo(200);
    page.locator("#clear-sure").fill("demo");
    page.getByText("Delete all documents").click();
    assertThat(page.locator("#toast")).hasText("Deleted.");
    assertThat(documents.send("GET", "/cities/oslo", "owner", "").statusCode()).isEqualTo(404);
    page.getByText("Restore", new Page.GetByTextOptions().setExact(true)).click();
    assertThat(page.locator("#toast")).hasText("7 documents restored.");
    assertThat(
            documents.send("GET", "/cities/berlin/districts/mitte", "owner", "").body())
        .contains("Mitte");
  }

  @Test
  void aFirestoreThatGoesAwayIsToldAndComesBack() {
    documents.writeCities();
    Page page = open("data");
    assertThat(page.locator(".tree")).containsText("cities");
    int port = server.port();
    server.close();
    assertThat(page.locator(".empty h3")).hasText("The Firestore does not answer");
    server = FirestoreServer.builder().port(port).start();
    documents = new Documents(server);
    documents.write("rivers", "spree", "{}");
    assertThat(page.locator(".tree")).containsText("rivers");
  }

  @Test
  void hundredsOfHostileIdsAndValuesStayTexts() {
    List<String> texts = Hostile.texts();
    for (int i = 0; i < texts.size(); i++) {
      String json =
          com.fasterxml.jackson.databind.node.TextNode.valueOf(texts.get(i)).toString();
      String id = texts.get(i).replace("/", "_").replaceAll("^__.*__$", "x") + i;
      documents.write(
          "hostile",
          id,
          "{\"value\":{\"stringValue\":" + json + "},\"map\":{\"mapValue\":{\"fields\":{"
              + json.replaceFirst("\"", "\"f ") + ":{\"stringValue\":" + json + "}}}}}");
    }
    Page page = open("data/hostile");
    assertThat(page.locator(".place tbody tr")).hasCount(100);
    page.locator(".place tbody a").nth(5).click();
    assertThat(page.locator(".fields tbody tr")).hasCount(2);
    page.locator(".nested summary").click();
    page.locator("[aria-label='Edit value']").click();
    assertThat(page.locator("form.edit textarea")).isVisible();
    page.navigate(page.url().replaceAll("#.*", "#/query"));
    page.locator("#query-collection").fill("hostile");
    page.locator("#query-limit").fill("1000");
    page.locator("button.primary").click();
    assertThat(page.locator(".results tbody tr")).hasCount(texts.size());
    page.navigate(page.url().replaceAll("#.*", "#/requests"));
    assertThat(page.locator("main h2")).hasText("Requests");
    for (String text : texts.subList(0, 60)) {
      documents.send(
          "GET",
          "/secrets/"
              + java.net.URLEncoder.encode(
                      text.replace("/", "_"), java.nio.charset.StandardCharsets.UTF_8)
                  .replace("+", "%20"),
          Documents.tokenOf(text.replace("\"", "").replace("\\", "").replace("\t", "")),
          "");
    }
    assertThat(page.locator(".row.denied").nth(10)).isVisible();
    page.locator(".row.denied").first().click();
    assertThat(page.locator(".steps")).isVisible();

    assertThat(page.evaluate("window.pwned")).isNull();
    assertThat(page.locator(
                "body script, main img, iframe, object, [onerror], [onload], main style, main link")
            .count())
        .isZero();
  }

  @Test
  void hostileRulesAreShownAsTheyAreWritten() {
    StringBuilder comments = new StringBuilder();
    for (String text : Hostile.texts()) {
      comments.append("  // ").append(text.replaceAll("[\\r\\n]", " ")).append('\n');
    }
    server.close();
    server = FirestoreServer.builder()
        .rules(
            "rules_version = '2';\nservice cloud.firestore {\n" + comments
                + "  match /databases/{d}/documents/{x=**} {\n"
                + "    allow read: if '<img src=x onerror=window.pwned=1>' == request.auth.uid;\n  }\n}\n")
        .start();
    documents = new Documents(server);
    Page page = open("rules");
    documents.send("GET", "/cities/berlin", Documents.tokenOf("<svg onload=window.pwned=1>"), "");
    assertThat(page.locator(".code.rules")).containsText("<iframe srcdoc=");
    assertThat(page.locator(".expr").first()).isVisible();
    page.getByText("As a list").click();
    assertThat(page.locator(".sentences")).containsText("<img src=x onerror=window.pwned=1>");
    assertThat(page.evaluate("window.pwned")).isNull();
    assertThat(page.locator("main img, main iframe, main svg, main script").count())
        .isZero();
  }

  @Test
  void aHugeDocumentIsShownPieceByPiece() {
    StringBuilder fields = new StringBuilder("{\"constructor\":{\"integerValue\":\"1\"}");
    for (int i = 0; i < 3000; i++) {
      fields.append(",\"f%04d\":{\"stringValue\":\"%s\"}".formatted(i, "x".repeat(20)));
    }
    String values = "{\"integerValue\":\"7\"},".repeat(4999) + "{\"integerValue\":\"8\"}";
    fields.append(",\"aa\":{\"arrayValue\":{\"values\":[" + values + "]}}");
    fields.append(",\"ab\":{\"stringValue\":\"" + "long ".repeat(100_000) + "\"}}");
    documents.write("huge", "one", fields.toString());
    documents.write("huge", "two", "{}");
    Page page = open("data/huge/one");
    assertThat(page.locator(".fields tbody tr")).hasCount(200);
    assertThat(((Number) page.evaluate("document.querySelectorAll('*').length")).intValue())
        .isLessThan(4000);
    page.getByText("Show more of 2,803 other fields").click();
    assertThat(page.locator(".fields tbody tr")).hasCount(400);
    page.locator(".nested summary").first().click();
    assertThat(page.locator(".nested dl")).hasCount(200);
    page.getByText("Show more of 4,800 others").click();
    assertThat(page.locator(".nested dl")).hasCount(400);

    // What one document lacks is not what every object of JavaScript has.
    page.navigate(page.url().replaceAll("#.*", "#/data/huge"));
    assertThat(page.locator(".place tbody tr")).hasCount(2);
    assertThat(page.locator(".place tbody tr").last().locator(".value")).hasCount(0);
  }

  @Test
  void theKeyboardAloneOpensADocumentAndChangesIt() {
    documents.writeCities();
    Page page = open("data");
    assertThat(page.locator(".tree")).containsText("cities");
    tabTo(page, "cities");
    page.keyboard().press("Enter");
    assertThat(page.locator(".place tbody tr")).hasCount(6);
    tabTo(page, "oslo");
    page.keyboard().press("Enter");
    assertThat(page.locator(".place h3")).hasText("oslo");
    tabTo(page, "Edit population");
    page.keyboard().press("Enter");
    assertThat(page.locator("form.edit textarea")).isFocused();
    page.keyboard().press("Control+a");
    page.keyboard().type("720000");
    page.keyboard().press("Tab");
    page.keyboard().press("Enter");
    assertThat(page.locator(".fields")).containsText("720000");
  }

  /** Presses Tab until something of that name has the focus, as whoever has no mouse does. */
  private static void tabTo(Page page, String name) {
    for (int i = 0; i < 80; i++) {
      page.keyboard().press("Tab");
      if (page.evaluate(
              "document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent")
          .equals(name)) {
        return;
      }
    }
    throw new AssertionError("The keyboard does not reach " + name);
  }
}
