package dev.syncguard.rules.query;

import dev.syncguard.rules.value.Comparison;
import dev.syncguard.rules.value.Failure;
import dev.syncguard.rules.value.Outcome;
import dev.syncguard.rules.value.RulesValue;
import dev.syncguard.rules.value.RulesValue.PathValue;
import dev.syncguard.rules.value.Unknown;
import java.util.List;
import java.util.Optional;

/** Any document that a query could find: what {@code resource} is when it is judged. */
public record UnknownDocument(Knowledge knowledge) implements Unknown {
  @Override
  public String description() {
    return "resource";
  }

  @Override
  public Outcome isOfType(String word) {
    return RulesValue.of(word.equals("map"));
  }

  @Override
  public Outcome member(String name) {
    Optional<PathValue> path = knowledge.name();
    return switch (name) {
      case "data" -> knowledge.field(List.of());
      case "id" ->
        path.isPresent()
            ? RulesValue.of(path.get().segments().get(path.get().segments().size() - 1))
            : new UnknownId("resource.id");
      case "__name__" -> path.isPresent() ? path.get() : new Anything("resource.__name__");
      default -> Failure.undefined(name);
    };
  }

  /** It exists, so it is not null. */
  @Override
  public Outcome compare(Comparison comparison, RulesValue other) {
    if (!(other instanceof RulesValue.NullValue)) {
      return opaque();
    }
    return switch (comparison) {
      case EQUAL -> RulesValue.FALSE;
      case NOT_EQUAL -> RulesValue.TRUE;
      default -> Failure.nullValue();
    };
  }
}
