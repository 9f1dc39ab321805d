package dev.syncguard.cli;

import dev.syncguard.rules.RulesAuth;
import dev.syncguard.rules.RulesRequest;
import dev.syncguard.rules.query.QueryFilter;
import dev.syncguard.rules.query.QueryFilter.Operator;
import dev.syncguard.rules.query.RulesQuery;
import dev.syncguard.rules.syntax.RulesMethod;
import dev.syncguard.rules.value.RulesValue;
import dev.syncguard.rules.value.RulesValue.MapValue;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** Reads one case of a file with tests of rules. */
final class RulesTestReader {

  private static final Map<String, Operator> OPERATORS = Map.of(
      "==", Operator.EQUAL,
      "!=", Operator.NOT_EQUAL,
      "<", Operator.LESS,
      "<=", Operator.LESS_OR_EQUAL,
      ">", Operator.GREATER,
      ">=", Operator.GREATER_OR_EQUAL,
      "in", Operator.IN,
      "not-in", Operator.NOT_IN,
      "array-contains", Operator.ARRAY_CONTAINS,
      "array-contains-any", Operator.ARRAY_CONTAINS_ANY);

  private RulesTestReader() {}

  static RulesTestCase read(YamlNode node, int number) {
    String expectation = node.get("expectation").text();
    if (!expectation.equals("ALLOW") && !expectation.equals("DENY")) {
      throw node.wrong("expects neither ALLOW nor DENY");
    }
    return new RulesTestCase(
        node.has("name") ? node.get("name").text() : "case " + number,
        expectation.equals("ALLOW"),
        request(node),
        node.has("functionMocks")
            ? FunctionMocks.read(node.get("functionMocks").elements())
            : path -> Optional.empty());
  }

  private static RulesRequest request(YamlNode node) {
    YamlNode request = node.get("request");
    RulesMethod method = method(request.get("method"));
    List<String> ids = ids(request.get("path"));
    Optional<MapValue> before = data(node);
    Optional<MapValue> after = data(request);
    try {
      RulesRequest made = method == RulesMethod.LIST
          ? RulesRequest.list(query(request, ids))
          : new RulesRequest(
              method,
              "(default)",
              ids,
              Optional.empty(),
              Optional.empty(),
              Instant.EPOCH,
              before,
              method == RulesMethod.CREATE || method == RulesMethod.UPDATE
                  ? Optional.of(after.orElse(RulesValue.map(Map.of())))
                  : Optional.empty());
      return made.by(auth(request)).at(time(request));
    } catch (IllegalArgumentException e) {
      throw request.wrong("makes no sense: " + e.getMessage());
    }
  }

  private static RulesMethod method(YamlNode node) {
    return Arrays.stream(RulesMethod.values())
        .filter(method -> method.word().equals(node.text().toLowerCase(Locale.ROOT)))
        .findFirst()
        .orElseThrow(() -> node.wrong("is none of get, list, create, update, delete"));
  }

  /** A path may be written in full, or from the root of the database on. */
  static List<String> ids(YamlNode node) {
    List<String> segments = new ArrayList<>(Arrays.stream(node.text().split("/", -1))
        .filter(segment -> !segment.isEmpty())
        .toList());
    if (!segments.isEmpty() && segments.get(0).equals("databases")) {
      if (segments.size() < 4 || !segments.get(2).equals("documents")) {
        throw node.wrong("must begin with /databases/(default)/documents/");
      }
      return List.copyOf(segments.subList(3, segments.size()));
    }
    return List.copyOf(segments);
  }

  private static Optional<MapValue> data(YamlNode around) {
    if (!around.has("resource")) {
      return Optional.empty();
    }
    YamlNode resource = around.get("resource");
    return Optional.of(
        resource.has("data") ? resource.get("data").fields() : RulesValue.map(Map.of()));
  }

  private static Optional<RulesAuth> auth(YamlNode request) {
    if (!request.has("auth")) {
      return Optional.empty();
    }
    YamlNode auth = request.get("auth");
    String uid = auth.get("uid").text();
    return Optional.of(
        auth.has("token") ? new RulesAuth(uid, auth.get("token").fields()) : RulesAuth.of(uid));
  }

  private static Instant time(YamlNode request) {
    if (!request.has("time")) {
      return Instant.now();
    }
    YamlNode time = request.get("time");
    if (time.rulesValue() instanceof RulesValue.TimestampValue timestamp) {
      return timestamp.value();
    }
    try {
      return Instant.parse(time.text());
    } catch (DateTimeException e) {
      throw time.wrong("must be like 2026-11-15T12:00:00Z");
    }
  }

  private static RulesQuery query(YamlNode request, List<String> ids) {
    if (ids.size() % 2 == 0) {
      throw request.wrong("must list a collection, whose path has an odd number of ids");
    }
    YamlNode query = request.has("query") ? request.get("query") : new YamlNode("query", Map.of());
    List<QueryFilter> filters = new ArrayList<>();
    if (query.has("where")) {
      query.get("where").elements().forEach(filter -> filters.add(filter(filter)));
    }
    List<RulesQuery.Order> orders = new ArrayList<>();
    if (query.has("orderBy")) {
      query
          .get("orderBy")
          .elements()
          .forEach(field -> orders.add(new RulesQuery.Order(field(field), false)));
    }
    return new RulesQuery(
        ids.subList(0, ids.size() - 1),
        Optional.of(ids.get(ids.size() - 1)),
        false,
        new QueryFilter.All(filters),
        orders,
        query.has("limit") ? OptionalLong.of(query.get("limit").number()) : OptionalLong.empty(),
        query.has("offset") ? query.get("offset").number() : 0);
  }

  private static QueryFilter filter(YamlNode node) {
    Operator operator = OPERATORS.get(node.get("op").text());
    if (operator == null) {
      throw node.wrong("has an op that is none of "
          + String.join(" ", OPERATORS.keySet().stream().sorted().toList()));
    }
    return new QueryFilter.Field(
        field(node.get("field")), operator, node.get("value").rulesValue());
  }

  private static List<String> field(YamlNode node) {
    return List.of(node.text().split("\\.", -1));
  }
}
