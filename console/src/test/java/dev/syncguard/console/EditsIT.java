package dev.syncguard.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import dev.syncguard.firestore.server.FirestoreServer;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What becomes of values that a person edits, whatever they type and whoever else writes meanwhile. */
class EditsIT {

  private static final String ROOT = "projects/demo/databases/(default)/documents/";

  /** A field of every type, with the values that are the first to be mangled. */
  private static final String EVERYTHING = """
      {"largest": {"integerValue": "9223372036854775807"}, "least": {"integerValue": "-9223372036854775808"},
       "nan": {"doubleValue": "NaN"}, "infinite": {"doubleValue": "-Infinity"}, "tiny": {"doubleValue": 4.9E-324},
       "huge": {"doubleValue": 1.7976931348623157E308}, "whole": {"doubleValue": 3.0}, "no": {"booleanValue": false},
       "nothing": {"nullValue": null}, "empty": {"stringValue": ""}, "blanks": {"stringValue": "  a \\n\\n"},
       "returns": {"stringValue": "a\\r\\nb\\rc\\nd"}, "signs": {"stringValue": "\\"\\\\ \\u0000 \\u2028 \\ud83d\\ude00"},
       "long": {"stringValue": "%s"}, "bytes": {"bytesValue": "AAECA/8="}, "noBytes": {"bytesValue": ""},
       "reference": {"referenceValue": "%scities/berlin"}, "place": {"geoPointValue": {"latitude": -90, "longitude": 179.9999999}},
       "origin": {"geoPointValue": {}}, "moment": {"timestampValue": "2026-01-31T12:00:00.123456Z"},
       "old": {"timestampValue": "0001-01-01T00:00:00Z"}, "noMap": {"mapValue": {}}, "noArray": {"arrayValue": {}},
       "a name. with `ticks`": {"integerValue": "1"},
       "vector": {"mapValue": {"fields": {"__type__": {"stringValue": "__vector__"},
         "value": {"arrayValue": {"values": [{"doubleValue": 1.5}, {"doubleValue": -2}]}}}}},
       "nested": {"arrayValue": {"values": [{"mapValue": {"fields": {"deep": {"arrayValue": {"values": [
         {"integerValue": "9007199254740993"}, {"nullValue": null}, {"doubleValue": "NaN"},
         {"stringValue": "a\\r\\nb"}, {"timestampValue": "2026-01-31T12:00:00.000001Z"}]}}}}}]}}}
      """.formatted("long ".repeat(2_000), ROOT);

  /** What is no value of its type; the last of them would be written as something else. */
  private static final List<List<String>> WRONG = List.of(
      List.of("integer", "9223372036854775808", "An integer"),
      List.of("integer", "-9223372036854775809", "An integer"),
      List.of("integer", "1.5", "An integer"),
      List.of("integer", "", "An integer"),
      List.of("double", "1e999", "A double"),
      List.of("double", "+Infinity", "A double"),
      List.of("double", "0x10", "A double"),
      List.of("double", "1,5", "A double"),
      List.of("boolean", "TRUE", "A boolean"),
      List.of("timestamp", "12", "A timestamp"),
      List.of("timestamp", "2026-01-31", "A timestamp"),
      List.of("timestamp", "2026-01-31T12:00:00", "A timestamp"),
      List.of("timestamp", "2026-02-30T00:00:00Z", "A timestamp"),
      List.of("timestamp", "2026-01-31T24:00:00Z", "A timestamp"),
      List.of("timestamp", "0000-01-01T00:00:00Z", "A timestamp"),
      List.of("timestamp", "2026-01-31T12:00:00.1234567891Z", "A timestamp"),
      List.of("reference", "berlin", "A reference"),
      List.of("reference", ROOT + "cities", "A reference"),
      List.of("bytes", "no base64!", "Bytes"),
      List.of("bytes", "A", "Bytes"),
      List.of("geoPoint", ",", "A geographical point"),
      List.of("geoPoint", "1, 2, 3", "A geographical point"),
      List.of("geoPoint", "90.1, 0", "A geographical point"),
      List.of("geoPoint", "0, -181", "A geographical point"),
      List.of("map", "{", "A map"),
      List.of("map", "[]", "A map"),
      List.of("map", "null", "A map"),
      List.of("map", "{\"a\": 1}", "a: A value"),
      List.of("map", "{\"a\": {}}", "a: A value"),
      List.of("map", "{\"a\": {\"textValue\": \"x\"}}", "a: A value"),
      List.of("map", "{\"a\": {\"stringValue\": \"x\", \"integerValue\": \"1\"}}", "a: A value"),
      List.of("map", "{\"a\": {\"stringValue\": 7}}", "a: A string"),
      List.of(
          "map",
          "{\"a\": {\"mapValue\": {\"fields\": {\"b\": {\"integerValue\": \"x\"}}}}}",
          "a.b: An integer"),
      List.of("array", "{}", "An array"),
      List.of("array", "[1]", "0: A value"),
      List.of("array", "[{\"nullValue\": null}, {\"arrayValue\": {}}]", "1: An array"),
      List.of("map", "{\"a\": {\"integerValue\": 9007199254740993}}", "a: An integer"));

  @RegisterExtension
  final Desk desk = new Desk();

  private final List<String> writes = new CopyOnWriteArrayList<>();
  private FirestoreServer server = Documents.start();
  private Documents documents = new Documents(server);

  @BeforeEach
  void bePatient() {
    PlaywrightAssertions.setDefaultAssertionTimeout(60_000);
  }

  @AfterEach
  void close() {
    server.close();
  }

  private Page open(String document) {
    ConsoleServer console = desk.serve(
        Console.builder().firestore(URI.create("http://" + server.emulatorHost()), "demo"));
    Page page = desk.open(console.address());
    assertThat(page.locator("main h2")).hasText("Data");
    page.onRequest(request -> {
      if (request.method().equals("PATCH")) {
        writes.add(request.url());
      }
    });
    page.navigate(console.address().replaceAll("#.*", "#/data/" + document));
    return page;
  }

  private JsonNode fields(String document) throws IOException {
    return new ObjectMapper()
        .readTree(documents.send("GET", "/" + document, "owner", "").body())
        .path("fields");
  }

  private void set(String document, String field, String value) {
    documents.send(
        "PATCH",
        "/" + document + "?updateMask.fieldPaths=" + field,
        "owner",
        "{\"fields\":{\"" + field + "\":" + value + "}}");
  }

  private static void save(Page page) {
    page.locator("form.edit button.primary").click();
  }

  private static void edit(Page page, String field) {
    page.locator("[aria-label='Edit " + field + "']").click();
  }

  @Test
  void everyValueThatIsSavedUnchangedStaysAsItWas() throws IOException {
    documents.write("types", "all", EVERYTHING);
    JsonNode before = fields("types/all");
    Page page = open("types/all");
    List<String> names = new ArrayList<>();
    before.fieldNames().forEachRemaining(names::add);
    for (String name : names) {
      edit(page, name);
      save(page);
      assertThat(page.locator("form.edit")).hasCount(0);
    }
    assertThat(writes).hasSameSizeAs(names);
    JsonNode after = fields("types/all");
    assertThat(names)
        .allSatisfy(name ->
            assertThat(after.get(name).toString()).isEqualTo(before.get(name).toString()));
  }

  @Test
  void whatIsNoValueOfItsTypeIsRefusedBeforeAnythingIsSent() throws IOException {
    documents.write("types", "one", "{\"field\": {\"integerValue\": \"1\"}}");
    Page page = open("types/one");
    edit(page, "field");
    for (List<String> wrong : WRONG) {
      page.locator("form.edit [aria-label='Type']").selectOption(wrong.get(0));
      page.locator("form.edit textarea").fill(wrong.get(1));
      save(page);
      assertThat(page.locator(".wrong")).containsText(wrong.get(2));
      page.locator("form.edit textarea").fill("…");
      assertThat(page.locator(".wrong")).isEmpty();
    }
    assertThat(writes).isEmpty();
    assertThat(fields("types/one").toString()).isEqualTo("{\"field\":{\"integerValue\":\"1\"}}");

    page.locator("form.edit [aria-label='Type']").selectOption("timestamp");
    page.locator("form.edit textarea").fill("2026-01-31T12:00:00.123456+02:00");
    save(page);
    assertThat(page.locator(".fields")).containsText("2026-01-31T10:00:00.123456Z");
  }

  @Test
  void whatSomebodyElseWroteMeanwhileIsShownBeforeItIsOverwritten() throws IOException {
    documents.writeCities();
    Page page = open("cities/oslo");
    edit(page, "population");
    page.locator("form.edit textarea").fill("1");
    set("cities/oslo", "population", "{\"integerValue\":\"2\"}");
    save(page);
    assertThat(page.locator(".wrong")).containsText("Somebody else has changed it to 2");
    assertThat(fields("cities/oslo").at("/population/integerValue").asText()).isEqualTo("2");
    save(page);
    assertThat(page.locator("form.edit")).hasCount(0);
    assertThat(fields("cities/oslo").at("/population/integerValue").asText()).isEqualTo("1");

    // Another field is no concern of theirs.
    edit(page, "population");
    page.locator("form.edit textarea").fill("3");
    set("cities/oslo", "capital", "{\"booleanValue\":false}");
    save(page);
    assertThat(page.locator("form.edit")).hasCount(0);
    assertThat(fields("cities/oslo").at("/population/integerValue").asText()).isEqualTo("3");
  }

  @Test
  void aDocumentThatSomebodyElseDeletedIsNotMadeAnewByAnEdit() throws IOException {
    documents.writeCities();
    Page page = open("cities/oslo");
    edit(page, "population");
    page.locator("form.edit textarea").fill("1");
    documents.send("DELETE", "/cities/oslo", "owner", "");
    save(page);
    assertThat(page.locator(".wrong")).containsText("Somebody else has deleted the document");
    assertThat(documents.send("GET", "/cities/oslo", "owner", "").statusCode()).isEqualTo(404);
  }

  @Test
  void aNewFieldReplacesNoneOfTheSameName() throws IOException {
    documents.writeCities();
    Page page = open("cities/oslo");
    page.getByText("Add a field").click();
    page.locator("form.edit [aria-label='Field']").fill("population");
    page.locator("form.edit textarea").fill("few");
    save(page);
    assertThat(page.locator(".wrong")).containsText("a field of that name");
    assertThat(writes).isEmpty();
    page.locator("form.edit [aria-label='Field']").fill("motto");
    save(page);
    assertThat(page.locator("form.edit")).hasCount(0);
    assertThat(fields("cities/oslo").at("/motto/stringValue").asText()).isEqualTo("few");
  }

  @Test
  void whatIsBeingTypedOutlivesAServerThatGoesAway() throws IOException {
    documents.writeCities();
    Page page = open("cities/oslo");
    edit(page, "name");
    page.locator("form.edit textarea").fill("Kristiania");
    int port = server.port();
    // Not before the page itself has noticed.
    page.waitForResponse(
        answer -> answer.status() == 502 && answer.url().endsWith(":listCollectionIds"),
        server::close);
    save(page);
    assertThat(page.locator(".wrong")).containsText("does not answer");
    assertThat(page.locator("form.edit textarea")).hasValue("Kristiania");
    server = FirestoreServer.builder().port(port).start();
    documents = new Documents(server);
    documents.writeCities();
    save(page);
    assertThat(page.locator("form.edit")).hasCount(0);
    assertThat(page.locator(".fields")).containsText("Kristiania");
    assertThat(fields("cities/oslo").at("/name/stringValue").asText()).isEqualTo("Kristiania");
  }
}
