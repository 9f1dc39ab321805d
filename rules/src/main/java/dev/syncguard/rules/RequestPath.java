package dev.syncguard.rules;

import dev.syncguard.rules.evaluation.DocumentValues;
import dev.syncguard.rules.query.Knowledge;
import dev.syncguard.rules.query.RulesQuery;
import dev.syncguard.rules.value.RulesValue.PathValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The path that a request is about, which for a query has parts that could be anything. */
record RequestPath(List<Step> steps) {
  /** One part of the path. */
  sealed interface Step {}

  /** A segment that is certain. */
  record Known(String text) implements Step {}

  /** Any one segment. */
  record AnyOne() implements Step {}

  /** Any number of segments. */
  record AnyMany() implements Step {}

  static RequestPath of(RulesRequest request, Optional<Knowledge> knowledge) {
    Optional<PathValue> name = knowledge.flatMap(Knowledge::name);
    if (request.query().isEmpty() || name.isPresent()) {
      return known(
          name.orElseGet(() -> DocumentValues.path(request.database(), request.document())));
    }
    RulesQuery query = request.query().get();
    List<Step> steps = new ArrayList<>(
        known(DocumentValues.path(request.database(), query.parent())).steps());
    if (query.collection().isEmpty()) {
      steps.add(new AnyMany());
      return new RequestPath(steps);
    }
    if (query.allDescendants()) {
      steps.add(new AnyMany());
    }
    steps.add(new Known(query.collection().get()));
    steps.add(new AnyOne());
    return new RequestPath(steps);
  }

  private static RequestPath known(PathValue path) {
    return new RequestPath(path.segments().stream().<Step>map(Known::new).toList());
  }
}
