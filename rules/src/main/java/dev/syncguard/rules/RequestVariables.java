package dev.syncguard.rules;

import dev.syncguard.rules.evaluation.DocumentValues;
import dev.syncguard.rules.query.Knowledge;
import dev.syncguard.rules.query.RulesQuery;
import dev.syncguard.rules.query.UnknownDocument;
import dev.syncguard.rules.value.Outcome;
import dev.syncguard.rules.value.RulesValue;
import dev.syncguard.rules.value.RulesValue.PathValue;
import dev.syncguard.rules.value.RulesValue.TimestampValue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the words {@code request} and {@code resource} stand for. */
final class RequestVariables {
  private RequestVariables() {}

  static RulesValue request(RulesRequest request) {
    Map<String, RulesValue> members = new HashMap<>();
    PathValue path = path(request);
    members.put("method", RulesValue.of(request.method().word()));
    members.put("path", path);
    members.put("time", new TimestampValue(request.time()));
    members.put("auth", request.auth().<RulesValue>map(RulesAuth::value).orElse(RulesValue.NULL));
    members.put(
        "resource",
        request
            .after()
            .<RulesValue>map(data -> DocumentValues.document(path, data))
            .orElse(RulesValue.NULL));
    request.query().ifPresent(query -> members.put("query", query(query)));
    return RulesValue.map(members);
  }

  static Outcome resource(RulesRequest request, Optional<Knowledge> knowledge) {
    if (knowledge.isPresent()) {
      return new UnknownDocument(knowledge.get());
    }
    return request
        .before()
        .<RulesValue>map(data -> DocumentValues.document(path(request), data))
        .orElse(RulesValue.NULL);
  }

  /** For a query, this is the path of its collection. */
  private static PathValue path(RulesRequest request) {
    List<String> ids = new ArrayList<>(request.document());
    request.query().ifPresent(query -> {
      ids.addAll(query.parent());
      query.collection().ifPresent(ids::add);
    });
    return DocumentValues.path(request.database(), ids);
  }

  private static RulesValue query(RulesQuery query) {
    Map<String, RulesValue> order = new HashMap<>();
    query
        .orderBy()
        .forEach(by -> order.put(
            String.join(".", by.field()), RulesValue.of(by.descending() ? "DESC" : "ASC")));
    return RulesValue.map(Map.of(
        "limit",
        query.limit().isPresent() ? RulesValue.of(query.limit().getAsLong()) : RulesValue.NULL,
        "offset",
        RulesValue.of(query.offset()),
        "orderBy",
        RulesValue.map(order)));
  }
}
