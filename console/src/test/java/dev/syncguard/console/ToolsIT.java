package dev.syncguard.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Download;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import dev.syncguard.firestore.server.FirestoreServer;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Import, export, clearing and snapshots; transactions and listeners that are open. */
class ToolsIT {

  private static final String BERLIN = "projects/demo/databases/(default)/documents/cities/berlin";

  @RegisterExtension
  final Desk desk = new Desk();

  @TempDir
  Path directory;

  private final FirestoreServer server = Documents.start();
  private final Documents documents = new Documents(server);

  @BeforeEach
  void bePatient() {
    PlaywrightAssertions.setDefaultAssertionTimeout(60_000);
  }

  @AfterEach
  void close() {
    server.close();
  }

  private Page open(String view) {
    ConsoleServer console = desk.serve(
        Console.builder().firestore(URI.create("http://" + server.emulatorHost()), "demo"));
    Page page = desk.open(console.address());
    assertThat(page.locator("main h2")).hasText("Data");
    page.navigate(console.address().replaceAll("#.*", "#/" + view));
    return page;
  }

  private boolean exists(String path) {
    return documents.send("GET", path, "owner", "").statusCode() == 200;
  }

  private static void press(Page page, String name) {
    page.getByText(name, new Page.GetByTextOptions().setExact(true)).click();
  }

  @Test
  void whatWasExportedIsImportedAgain() {
    documents.writeCities();
    Page page = open("tools");
    page.locator("#directory").fill(directory.toString());
    press(page, "Export");
    assertThat(page.locator("#toast")).containsText("Exported to " + directory);
    Path export = Path.of(page.locator("#directory").inputValue());
    assertThat(export).isNotEmptyDirectory().hasParent(directory);

    page.locator("#clear-sure").fill("demo");
    press(page, "Delete all documents");
    assertThat(page.locator("#toast")).hasText("Deleted.");
    assertThat(exists("/cities/berlin")).isFalse();

    press(page, "Import");
    assertThat(page.locator("#toast")).hasText("Imported.");
    assertThat(exists("/cities/berlin")).isTrue();
    assertThat(exists("/cities/berlin/districts/mitte")).isTrue();
  }

  @Test
  void anExportOfTheFirebaseToolsIsImportedByItsDirectory() {
    documents.writeCities();
    server.exportTo(directory.resolve("seed"), "demo");
    documents.send("DELETE", "/cities/berlin", "owner", "");
    Page page = open("tools");
    page.locator("#directory").fill(directory.resolve("seed") + "/");
    press(page, "Import");
    assertThat(page.locator("#toast")).hasText("Imported.");
    assertThat(exists("/cities/berlin")).isTrue();
  }

  @Test
  void anImportFromNowhereChangesNothingAndSaysWhy() {
    documents.writeCities();
    Page page = open("tools");
    page.locator("#directory").fill(directory.resolve("nothing-here").toString());
    press(page, "Import");
    assertThat(page.locator("#toast")).containsText("There is no export in " + directory);
    assertThat(exists("/cities/berlin")).isTrue();
  }

  @Test
  void aDamagedExportIsSaidToBe() throws Exception {
    Path damaged = Files.createDirectory(directory.resolve("damaged"));
    Files.write(damaged.resolve("damaged.overall_export_metadata"), new byte[] {1, 2, 3});
    documents.writeCities();
    Page page = open("tools");
    page.locator("#directory").fill(damaged.toString());
    press(page, "Import");
    assertThat(page.locator("#toast")).containsText("It is damaged");
    assertThat(exists("/cities/berlin")).isTrue();
  }

  @Test
  void aDirectoryThatWasNotNamedIsNotGuessed() {
    Page page = open("tools");
    List<String> sent = new CopyOnWriteArrayList<>();
    page.onRequest(request -> sent.add(request.url()));
    for (String path : List.of("", " ", "relative/directory")) {
      for (String button : List.of("Export", "Import")) {
        page.evaluate("document.getElementById('toast').textContent = ''");
        page.locator("#directory").fill(path);
        press(page, button);
        assertThat(page.locator("#toast")).containsText("by its absolute path");
      }
    }
    assertThat(sent).noneMatch(url -> url.endsWith(":export") || url.endsWith(":import"));
  }

  @Test
  void aSnapshotIsSavedAsAFileAndRestoredFromIt() throws Exception {
    documents.writeCities();
    Page page = open("tools");
    press(page, "Take a snapshot");
    assertThat(page.locator(".sentences")).containsText("7 documents of demo");
    Download download = page.waitForDownload(() -> press(page, "Save as a file"));
    Path file = directory.resolve("snapshot.json");
    download.saveAs(file);
    assertThat(Files.readString(file)).contains("Berlin", "mitte");
    press(page, "Forget");
    assertThat(page.locator(".sentences li")).hasCount(0);

    documents.send("DELETE", "/cities/berlin", "owner", "");
    documents.write("cities", "atlantis", "{}");
    page.locator("#snapshot-file").setInputFiles(file);
    assertThat(page.locator("#toast")).hasText("7 documents restored.");
    assertThat(exists("/cities/berlin")).isTrue();
    assertThat(exists("/cities/atlantis")).isFalse();
  }

  @Test
  void aFileThatCannotBeRestoredClearsNothing() throws Exception {
    documents.writeCities();
    Page page = open("tools");
    List<String> files = List.of(
        "{\"cities\": 7}",
        "not even JSON",
        "[null]",
        "[{\"path\": [\"cities\"], \"fields\": {}}]",
        "[{\"path\": [\"cities\", \"a/b\"], \"fields\": {}}]",
        "[{\"path\": [\"cities\", \"rome\"], \"fields\": {\"age\": 2779}}]",
        "[{\"path\": [\"cities\", \"rome\"], \"fields\": {\"age\": {\"integerValue\": \"old\"}}}]");
    for (int i = 0; i < files.size(); i++) {
      Path file = Files.writeString(directory.resolve(i + ".json"), files.get(i));
      page.locator("#snapshot-file").setInputFiles(file);
      assertThat(page.locator("#toast")).containsText("That is not a snapshot of this page");
      assertThat(page.locator("#toast")).containsText("Nothing was changed.");
      assertThat(exists("/cities/berlin")).as(files.get(i)).isTrue();
      press(page, "Take a snapshot");
      assertThat(page.locator("#toast")).hasText("7 documents kept.");
    }
  }

  @Test
  void aSnapshotLargerThanOneCommitIsRestored() {
    String text = "\u6f22".repeat(300_000); // three bytes each
    for (int i = 0; i < 20; i++) {
      documents.write("books", "book" + i, "{\"text\": {\"stringValue\": \"" + text + "\"}}");
    }
    Page page = open("tools");
    press(page, "Take a snapshot");
    assertThat(page.locator(".sentences")).containsText("20 documents of demo");
    press(page, "Restore");
    assertThat(page.locator("#toast")).hasText("20 documents restored.");
    assertThat(documents.send("GET", "/books/book19", "owner", "").body()).contains(text);
  }

  @Test
  void whoListensIsShownWithWhatTheyListenToUntilTheyStop() {
    documents.writeCities();
    Page page = open("activity");
    assertThat(page.locator(".card").last()).containsText("Nobody listens.");
    Runnable stop = documents.listen("ada", "cities/berlin");
    assertThat(page.locator(".card").last()).containsText("user ada");
    assertThat(page.locator(".card").last()).containsText("cities/berlin");
    // Its age goes on without a word from the server.
    assertThat(page.locator(".card").last().locator("td").nth(1)).hasText("2 s");
    stop.run();
    assertThat(page.locator(".card").last()).containsText("Nobody listens.");
  }

  @Test
  void aTransactionThatWaitsForAnotherIsMarked() {
    documents.writeCities();
    String first = documents.reading("cities/berlin");
    String second = documents.reading("cities/berlin");
    Page page = open("activity");
    assertThat(page.locator(".card").first().locator("tbody tr")).hasCount(2);
    assertThat(page.locator(".card").first()).containsText("cities/berlin");
    CompletableFuture<Void> commit = CompletableFuture.runAsync(() -> documents.send(
        "POST",
        ":commit",
        "owner",
        "{\"transaction\":\"" + first + "\",\"writes\":[{\"delete\":\"" + BERLIN + "\"}]}"));
    assertThat(page.locator(".card").first().locator("tr.bad")).containsText("waits");
    documents.send("POST", ":rollback", "owner", "{\"transaction\":\"" + second + "\"}");
    commit.join();
    assertThat(page.locator(".card").first()).containsText("None.");
  }
}
