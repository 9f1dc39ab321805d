package dev.syncguard.rules;

import dev.syncguard.rules.evaluation.Evaluation;
import dev.syncguard.rules.evaluation.Library;
import dev.syncguard.rules.evaluation.LookupBudget;
import dev.syncguard.rules.evaluation.RulesLookup;
import dev.syncguard.rules.evaluation.Scope;
import dev.syncguard.rules.evaluation.Trace;
import dev.syncguard.rules.query.QueryFilter;
import dev.syncguard.rules.query.RulesQuery;
import dev.syncguard.rules.value.RulesValue;
import dev.syncguard.rules.value.RulesValue.MapValue;
import dev.syncguard.rules.value.RulesValue.TimestampValue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A case for the rules of the sync product, and the request that it describes. */
record SyncCase(CorpusLine line, RulesRequest request) {

  /** The file that is deployed. */
  static final Path RULES = Path.of("../sync/firebase/firestore.rules");

  private static final Instant NOW = Instant.parse("2026-11-15T12:00:00Z");
  private static final String NODE = "pr_sync_" + "0123456789abcdef".repeat(4);
  private static final Pattern TEXT = Pattern.compile("text\\((\\d+)\\)");
  private static final Pattern ENTRIES = Pattern.compile("entries\\((\\d+)\\)");

  static String source() {
    try {
      return Files.readString(RULES);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static List<SyncCase> all() {
    return CorpusLine.read("sync.txt", 2).stream()
        .map(line -> new SyncCase(line, request(line)))
        .toList();
  }

  private static RulesRequest request(CorpusLine line) {
    String[] words = line.input(0).replace("NODE", NODE).split(" ", 2);
    MapValue envelope = RulesValue.map(changed(envelope(), line.input(1)));
    Optional<MapValue> before =
        line.input(1).equals("absent") ? Optional.empty() : Optional.of(RulesValue.map(envelope()));
    return (switch (words[0]) {
          case "get" -> RulesRequest.get(words[1], before);
          case "create" -> RulesRequest.write(words[1], Optional.empty(), Optional.of(envelope));
          case "update" -> RulesRequest.write(words[1], before, Optional.of(envelope));
          case "delete" -> RulesRequest.write(words[1], before, Optional.empty());
          case "list" -> RulesRequest.list(query(words[1], false));
          case "group" -> RulesRequest.list(query(words[1], true));
          case "named" -> RulesRequest.list(named(words[1]));
          default -> throw new IllegalArgumentException(line.toString());
        })
        .at(NOW);
  }

  private static RulesQuery query(String path, boolean allDescendants) {
    List<String> ids = new ArrayList<>(Arrays.asList(path.split("/", -1)));
    String collection = ids.remove(ids.size() - 1);
    return new RulesQuery(
        ids,
        Optional.of(collection),
        allDescendants,
        new QueryFilter.All(List.of()),
        List.of(),
        OptionalLong.empty(),
        0);
  }

  private static RulesQuery named(String path) {
    return query(path.substring(0, path.lastIndexOf('/')), false)
        .where(new QueryFilter.Field(
            List.of("__name__"),
            QueryFilter.Operator.EQUAL,
            RulesValues.reference("projects/p/databases/(default)/documents/" + path)));
  }

  /** Returns an envelope to which there is no objection. */
  static Map<String, RulesValue> envelope() {
    RulesValue now = new TimestampValue(NOW);
    RulesValue writer = RulesValue.of("device:0a1b2c3d");
    RulesValue counter = RulesValue.of(3);
    Map<String, RulesValue> fields = new HashMap<>();
    fields.put(
        "read",
        map(
            "updatedAt",
            now,
            "updatedBy",
            writer,
            "clearEpoch",
            counter,
            "value",
            map("a1b2", RulesValue.of(1))));
    fields.put(
        "loadFrom",
        map(
            "updatedAt",
            now,
            "updatedBy",
            writer,
            "version",
            counter,
            "clearEpoch",
            counter,
            "value",
            RulesValue.of("2026-11-01T00:00:00.000Z")));
    fields.put(
        "authorPrefs",
        map(
            "updatedAt",
            now,
            "updatedBy",
            writer,
            "clearEpoch",
            counter,
            "value",
            map(
                "Ann",
                map(
                    "v",
                    RulesValue.of(1),
                    "version",
                    counter,
                    "updatedAt",
                    now,
                    "updatedBy",
                    writer))));
    Map<String, RulesValue> envelope = new HashMap<>();
    envelope.put("schemaVersion", RulesValue.of(1));
    envelope.put("site", RulesValue.of("lw"));
    envelope.put("lastPushedBy", writer);
    envelope.put("lastPushedAt", now);
    envelope.put("lastPushedAtMs", RulesValue.of(NOW.toEpochMilli()));
    envelope.put("expiresAt", value("now + duration.value(180, 'd')"));
    envelope.put("fields", RulesValue.map(fields));
    return envelope;
  }

  private static MapValue map(Object... keysAndValues) {
    Map<String, RulesValue> entries = new HashMap<>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      entries.put((String) keysAndValues[i], (RulesValue) keysAndValues[i + 1]);
    }
    return RulesValue.map(entries);
  }

  private static Map<String, RulesValue> changed(Map<String, RulesValue> envelope, String changes) {
    if (!changes.equals("-") && !changes.equals("absent")) {
      for (String change : changes.split("; ", -1)) {
        String[] parts = change.split(" = ", 2);
        if (parts.length == 2) {
          change(envelope, List.of(parts[0].split("\\.", -1)), Optional.of(value(parts[1])));
        } else {
          change(envelope, List.of(change.replace("drop ", "").split("\\.", -1)), Optional.empty());
        }
      }
    }
    return envelope;
  }

  private static void change(
      Map<String, RulesValue> map, List<String> path, Optional<RulesValue> value) {
    String key = path.get(0);
    if (path.size() > 1) {
      MapValue inner = (MapValue) Objects.requireNonNull(map.get(key), key);
      Map<String, RulesValue> copy = new HashMap<>(inner.entries());
      change(copy, path.subList(1, path.size()), value);
      map.put(key, RulesValue.map(copy));
    } else if (value.isPresent()) {
      map.put(key, value.get());
    } else if (map.remove(key) == null) {
      throw new IllegalArgumentException("There is no " + key + " to drop");
    }
  }

  private static RulesValue value(String text) {
    Matcher entries = ENTRIES.matcher(text);
    if (entries.matches()) {
      Map<String, RulesValue> many = new HashMap<>();
      for (int i = 0; i < Integer.parseInt(entries.group(1)); i++) {
        many.put("key" + i, RulesValue.of(1));
      }
      return RulesValue.map(many);
    }
    String expanded = TEXT.matcher(text)
        .replaceAll(match -> "'" + "x".repeat(Integer.parseInt(match.group(1))) + "'");
    Scope scope = Scope.outermost(List.of());
    scope.define("now", new TimestampValue(NOW));
    return (RulesValue) new Evaluation(
            new Library(), "(default)", LookupBudget.single(RulesLookup.EMPTY), Trace.NONE)
        .value(QueryText.expression(expanded), scope);
  }

  @Override
  public String toString() {
    return line.toString();
  }
}
