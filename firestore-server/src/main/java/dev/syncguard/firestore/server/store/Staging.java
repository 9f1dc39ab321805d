package dev.syncguard.firestore.server.store;

import com.google.firestore.v1.Document;
import com.google.firestore.v1.WriteResult;
import dev.syncguard.firestore.server.name.DocumentName;
import dev.syncguard.firestore.server.write.PlannedWrite;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The writes of one commit applied beside the store, each seeing those before it. */
final class Staging {
  private final Snapshot present;
  private final long micros;
  private final Map<DocumentName, Optional<Document>> after = new LinkedHashMap<>();
  private final List<StagedWrite> writes = new ArrayList<>();
  private final List<WriteResult> results = new ArrayList<>();

  /** @param micros the time of the commit */
  Staging(Snapshot present, long micros) {
    this.present = present;
    this.micros = micros;
  }

  void add(PlannedWrite write) {
    DocumentName name = write.name();
    Optional<Document> staged = after.get(name);
    @Nullable Document before = staged == null ? present.get(name) : staged.orElse(null);
    PlannedWrite.Outcome outcome = write.apply(before, micros);
    after.put(name, Optional.ofNullable(outcome.after()));
    writes.add(new StagedWrite(write, before, outcome.after()));
    results.add(outcome.result().build());
  }

  List<StagedWrite> writes() {
    return writes;
  }

  List<WriteResult> results() {
    return results;
  }

  void checkIndexEntries(IndexPolicy policy) {
    after.forEach((name, document) ->
        document.ifPresent(stored -> IndexEntryLimit.check(stored, name.collectionId(), policy)));
  }

  void checkPreconditions() {
    for (StagedWrite staged : writes) {
      staged.write().checkPrecondition(staged.before(), micros);
    }
  }

  /** Returns what the commit as a whole does to each document, leaving out those it leaves as they are. */
  List<Change> changes() {
    List<Change> changes = new ArrayList<>();
    after.forEach((name, document) -> {
      Document before = present.get(name);
      if (!document.equals(Optional.ofNullable(before))) {
        changes.add(new Change(name, before, document.orElse(null)));
      }
    });
    return changes;
  }
}
