package dev.syncguard.firestore.server.index;

import dev.syncguard.firestore.server.index.CompositeIndex.Order;
import dev.syncguard.firestore.server.store.Composite;
import dev.syncguard.firestore.server.store.IndexPolicy;
import dev.syncguard.firestore.server.value.FieldPath;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The indexes of a project beyond the automatic ones, and where documents carry the time of their end. Threads may share
 * it.
 *
 * @param overrides by collection id and field, the indexes that replace the automatic ones; whatever lies below the field
 *     has the same, unless it has an override of its own
 * @param ttlPolicies by collection id, the field that says when a document may be removed
 */
public record IndexConfiguration(
    List<CompositeIndex> composites,
    Map<String, Map<FieldPath, Set<SingleField>>> overrides,
    Map<String, FieldPath> ttlPolicies)
    implements IndexPolicy {
  /** An index of one field, in one collection or in all collections of an id at once. */
  public record SingleField(Order order, boolean group) {}

  /** Only the automatic indexes. */
  public static final IndexConfiguration NONE =
      new IndexConfiguration(List.of(), Map.of(), Map.of());

  /** The field of an override that is about all fields of a collection. */
  public static final FieldPath EVERY_FIELD = FieldPath.of("*");

  private static final Set<SingleField> AUTOMATIC = Set.of(
      new SingleField(Order.ASCENDING, false),
      new SingleField(Order.DESCENDING, false),
      new SingleField(Order.CONTAINS, false));

  public IndexConfiguration {
    composites = List.copyOf(composites);
    overrides = Map.copyOf(overrides);
    ttlPolicies = Map.copyOf(ttlPolicies);
  }

  /** Returns the indexes that a field has for itself. */
  public Set<SingleField> singleFields(String collectionId, FieldPath field) {
    Map<FieldPath, Set<SingleField>> own = overrides.getOrDefault(collectionId, Map.of());
    for (FieldPath path = field; ; path = path.parent()) {
      Set<SingleField> indexes = own.get(path);
      if (indexes != null) {
        return indexes;
      }
      if (path.segments().size() == 1) {
        return own.getOrDefault(EVERY_FIELD, AUTOMATIC);
      }
    }
  }

  /** Returns, by collection id, the fields that have no index. */
  public Map<String, Set<FieldPath>> exemptions() {
    return overrides.entrySet().stream()
        .collect(Collectors.toMap(
            Map.Entry::getKey,
            collection -> collection.getValue().entrySet().stream()
                .filter(override -> override.getValue().isEmpty())
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet())));
  }

  /** Returns the indexes that can be kept in order; vectors are searched without one. */
  @Override
  public List<Composite> composites(String collectionId) {
    return composites.isEmpty()
        ? List.of()
        : composites.stream()
            .filter(index -> index.collectionId().equals(collectionId))
            .filter(
                index -> index.fields().stream().noneMatch(field -> field.order() == Order.VECTOR))
            .map(IndexConfiguration::kept)
            .filter(index -> !index.parts().isEmpty())
            .distinct()
            .toList();
  }

  // Names come last even if that is not said, in the direction of the field before them.
  private static Composite kept(CompositeIndex index) {
    CompositeIndex.Field last = index.fields().get(index.fields().size() - 1);
    return new Composite(
        index.group(),
        index.fields().stream()
            .filter(field -> !field.path().isName())
            .map(field -> new Composite.Part(
                field.path(), Composite.Order.valueOf(field.order().name())))
            .toList(),
        last.order() == Order.DESCENDING);
  }

  @Override
  public String fingerprint() {
    List<String> parts = new ArrayList<>();
    composites.forEach(index -> parts.add(index.toString()));
    exemptions()
        .forEach((collection, fields) ->
            fields.forEach(field -> parts.add("not " + collection + " " + field.canonical())));
    return parts.stream().sorted().collect(Collectors.joining("\n"));
  }

  @Override
  public boolean isIndexed(String collectionId, FieldPath field) {
    if (overrides.isEmpty()) {
      return true;
    }
    return overrides.getOrDefault(collectionId, Map.of()).entrySet().stream()
        .noneMatch(
            override -> override.getValue().isEmpty() && override.getKey().isPrefixOf(field));
  }
}
