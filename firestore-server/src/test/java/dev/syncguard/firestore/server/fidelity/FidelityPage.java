package dev.syncguard.firestore.server.fidelity;

import com.google.rpc.Code;
import dev.syncguard.firestore.server.query.IndexTable;
import dev.syncguard.firestore.server.validity.ValidityRow;
import dev.syncguard.firestore.server.validity.ValidityServer;
import dev.syncguard.firestore.server.validity.ValidityServer.Answer;
import dev.syncguard.firestore.server.validity.ValidityTable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** What {@code docs/fidelity.md} says, made from the lists and tables that the build checks and from a server that is asked. */
final class FidelityPage {
  private final StringBuilder page = new StringBuilder();

  static String write() throws Exception {
    FidelityPage page = new FidelityPage();
    page.introduce();
    page.suites();
    page.googleTests();
    page.webSdkTests();
    page.clients();
    page.validity();
    page.indexes();
    return page.page.toString();
  }

  private void introduce() {
    text("# How close to Firestore", "");
    text("<!-- Written by firestore-server/fidelity; a test of the build compares it. -->", "");
    text(
        "What the [embedded Firestore](firestore-server.md) has in common with the real one, line by line. Unless a line says otherwise, it is",
        "checked in every build: a test that is counted as passed must pass, one that is named as an exception is the only kind that need",
        "not, and every answer in the tables was given by a server. `firestore-server/fidelity` writes this page anew; the build fails while",
        "the page says something else.",
        "");
  }

  private void suites() throws Exception {
    text("## Suites that others wrote", "");
    text("| Suite | Version | Tests | Pass | Exceptions |", "|---|---|--:|--:|--:|");
    for (ForeignSuites.Suite suite : ForeignSuites.suites()) {
      row(
          suite.name(),
          suite.version(),
          suite.tests(),
          suite.tests() - suite.exceptions(),
          suite.exceptions());
    }
    text("", "Not run, and why:", "");
    ForeignSuites.NOT_RUN.forEach(suite -> text("- " + suite));
    text("");
  }

  private void googleTests() throws Exception {
    text("### Google's integration tests, class by class", "");
    text(
        "| Class | Tests | Pass as they are | Pass in another mode | Exceptions |",
        "|---|--:|--:|--:|--:|");
    for (ForeignSuites.GoogleClass google : ForeignSuites.googleClasses()) {
      row(
          "`" + google.name() + "`",
          google.tests(),
          google.tests() - google.otherwise() - google.exceptions(),
          google.otherwise(),
          google.exceptions());
    }
    text(
        "",
        "The modes, for tests that skip themselves before an emulator or count on a distant server:",
        "");
    text("| Mode | Tests | |", "|---|--:|---|");
    ForeignSuites.modes()
        .forEach((mode, tests) -> row(mode.toLowerCase(Locale.ROOT), tests, modeSays(mode)));
    text("", "The exceptions:", "", "| Test | Why |", "|---|---|");
    ForeignSuites.exceptions().forEach((test, why) -> row("`" + test + "`", why));
    text("");
  }

  private void webSdkTests() throws Exception {
    List<ForeignSuites.Declared> tests = ForeignSuites.declaredByTheWebSdk();
    text("### The web SDK's own integration tests", "");
    text(
        "The package on npm, `" + ForeignSuites.newestWebSdk() + "`, declares these " + tests.size()
            + " files of tests (`dist/firestore/test/**/*.test.d.ts`) and",
        "has none of their lines, neither as JavaScript nor in its source maps, so **none of them was run**. What can be built from the package",
        "is the SDK itself: the scenarios beside each file use the same functions of the public API, and are ours. The build compares the list",
        "with the package.",
        "",
        "| Declared test | What runs here in its place |",
        "|---|---|");
    for (ForeignSuites.Declared test : tests) {
      row(
          "`" + test.name() + "`",
          test.standsForIt().startsWith("- ")
              ? "nothing: " + test.standsForIt().substring(2)
              : test.standsForIt());
    }
    text("");
  }

  private static String modeSays(String mode) {
    return switch (mode) {
      case "PRODUCTION" ->
        "the client is kept from saying that it talks to an emulator, and missing indexes are refused";
      case "ANYTHING" ->
        "the assumption that composite indexes exist is taken for granted: we need none; every assertion still has to hold";
      case "DELAYED" -> "every answer arrives a second later";
      case "TRACED" ->
        "the client is given what it leaves out before an emulator: the interceptor that makes spans of calls, and its credentials";
      case "ENTERPRISE" ->
        "the server accepts large documents (`largeDocuments`), and the tests are told that it is the nightly one of Google's enterprise edition; the client may read what it would refuse to read from an emulator";
      default -> throw new IllegalArgumentException("Nobody has explained " + mode);
    };
  }

  private void clients() throws Exception {
    text("## Clients that others wrote, in scenarios of ours", "");
    text("| Client | Version | Where | Scenarios |", "|---|---|---|--:|");
    Map<String, List<String>> scenarios = new LinkedHashMap<>();
    for (ForeignSuites.Client client : ForeignSuites.clients()) {
      row(client.name(), client.version(), client.where(), client.scenarios().size());
      scenarios
          .computeIfAbsent(String.join("; ", client.scenarios()), any -> new ArrayList<>())
          .add(client.name());
    }
    text("");
    scenarios.forEach((names, clients) -> text("- " + String.join(", ", clients) + ": " + names));
    text("");
  }

  private void validity() throws Exception {
    text("## What is accepted, what is refused, and how", "");
    text(
        "The answers are those of production as documented, or as recorded from the official emulator, 1.22.0; each row was sent to a",
        "server over REST, as the administrator. Where the emulator is known to differ from production, production wins, and the last",
        "column says what the emulator does. Messages may go on after what is shown.",
        "");
    try (ValidityServer server = new ValidityServer()) {
      for (Map.Entry<String, List<ValidityRow>> section :
          ValidityTable.sections().entrySet()) {
        text("### " + section.getKey(), "");
        text("| Request | Answer | Official emulator |", "|---|---|---|");
        for (ValidityRow asked : section.getValue()) {
          row(named(asked.name()), said(asked, server.ask(asked)), asked.emulator());
        }
        text("");
      }
    }
  }

  private static String said(ValidityRow asked, Answer answer) {
    if (answer.status() == Code.OK) {
      return asked.words().isEmpty() ? "OK" : answer.words();
    }
    // What was asked for and no more: the rest names times and places.
    String words = asked.words().isEmpty() ? answer.words() : asked.words();
    return answer.status() + (words.isEmpty() ? "" : ": " + code(words));
  }

  private void indexes() {
    text("## Which indexes a query needs", "");
    text(
        "With `strictIndexes`, or `--strict-indexes`. The official emulator asks for none.",
        "",
        "| Query and indexes | Answer |",
        "|---|---|");
    for (IndexTable.Row each : IndexTable.rows()) {
      String sums = each.aggregated().stream().collect(Collectors.joining(", "));
      row(
          each.name() + (sums.isEmpty() ? "" : " (" + sums + ")"),
          each.enough() ? "OK" : "FAILED_PRECONDITION, with the index to create");
    }
  }

  /** Returns the name with what would be emphasis marked as code. */
  private static String named(String name) {
    return name.replaceAll("__\\w+__", "`$0`");
  }

  private static String code(String text) {
    return text.contains("`") ? "`` " + text + " ``" : "`" + text + "`";
  }

  private void row(Object... cells) {
    StringBuilder line = new StringBuilder("|");
    for (Object cell : cells) {
      line.append(' ').append(String.valueOf(cell).replace("|", "\\|")).append(" |");
    }
    text(line.toString());
  }

  private void text(String... lines) {
    for (String line : lines) {
      page.append(line.stripTrailing()).append('\n');
    }
  }
}
