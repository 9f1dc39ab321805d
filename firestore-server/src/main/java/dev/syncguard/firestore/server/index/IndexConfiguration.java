package dev.syncguard.firestore.server.index;

import dev.syncguard.firestore.server.store.IndexPolicy;
import dev.syncguard.firestore.server.value.FieldPath;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The indexes of a project beyond the automatic ones, and where documents carry the time of their end. Threads may share
 * it.
 *
 * @param exemptions by collection id, the fields that are not indexed; whatever lies below them is not, either
 * @param timesToLive by collection id, the field that says when a document may be removed
 */
public record IndexConfiguration(
    List<CompositeIndex> composites,
    Map<String, Set<FieldPath>> exemptions,
    Map<String, FieldPath> timesToLive)
    implements IndexPolicy {
  /** Only the automatic indexes. */
  public static final IndexConfiguration NONE =
      new IndexConfiguration(List.of(), Map.of(), Map.of());

  public IndexConfiguration {
    composites = List.copyOf(composites);
    exemptions = Map.copyOf(exemptions);
    timesToLive = Map.copyOf(timesToLive);
  }

  @Override
  public boolean isIndexed(String collectionId, FieldPath field) {
    if (exemptions.isEmpty()) {
      return true;
    }
    return exemptions.getOrDefault(collectionId, Set.of()).stream()
        .noneMatch(exempt -> exempt.isPrefixOf(field));
  }
}
