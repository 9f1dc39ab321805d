package dev.syncguard.firestore.server.ttl;

import com.google.firestore.v1.Document;
import com.google.firestore.v1.Value;
import com.google.firestore.v1.Write;
import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.name.DatabaseName;
import dev.syncguard.firestore.server.name.DocumentName;
import dev.syncguard.firestore.server.name.ParentName;
import dev.syncguard.firestore.server.operation.Databases;
import dev.syncguard.firestore.server.operation.Databases.Served;
import dev.syncguard.firestore.server.store.CollectionView;
import dev.syncguard.firestore.server.store.CommitGate;
import dev.syncguard.firestore.server.store.IndexRange;
import dev.syncguard.firestore.server.store.PendingCommit;
import dev.syncguard.firestore.server.store.Snapshot;
import dev.syncguard.firestore.server.store.StagedWrite;
import dev.syncguard.firestore.server.store.ValuePosition;
import dev.syncguard.firestore.server.value.FieldPath;
import dev.syncguard.firestore.server.value.Fields;
import dev.syncguard.firestore.server.value.Times;
import dev.syncguard.firestore.server.value.ValueKind;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Deletes documents whose time to live is over, each on its own and only if it still is over at that moment. What lies
 * below a document stays. Thread-safe.
 */
public final class ExpirySweep {
  /** How many documents of one kind a sweep removes at most, so that others get their turn. */
  private static final int BATCH = 10_000;
  /** How many it looks at; more than transactions can well hold, so that these do not hide all others. */
  private static final int MOST_LOOKED_AT = 100_000;

  private final Databases databases;
  private final Function<DatabaseName, Map<String, FieldPath>> fields;
  private final InstantSource time;

  /** @param fields of a database, by collection id, the field that holds the time of the end */
  public ExpirySweep(
      Databases databases,
      Function<DatabaseName, Map<String, FieldPath>> fields,
      InstantSource time) {
    this.databases = databases;
    this.fields = fields;
    this.time = time;
  }

  /** Deletes what is over now and returns how many documents that were. */
  public int run() {
    int removed = 0;
    for (Served served : databases.all()) {
      for (Map.Entry<String, FieldPath> policy :
          fields.apply(served.database().name()).entrySet()) {
        removed += run(served, policy.getKey(), policy.getValue());
      }
    }
    return removed;
  }

  private int run(Served served, String collectionId, FieldPath field) {
    Value now = Value.newBuilder()
        .setTimestampValue(Times.timestamp(Times.micros(time.instant())))
        .build();
    int removed = 0;
    // Nobody waits for the disk before the end: what is pending becomes safe all at once.
    List<PendingCommit> pending = new ArrayList<>();
    for (String name :
        served.database().read(snapshot -> expired(served, snapshot, collectionId, field, now))) {
      if (pending.size() >= BATCH) {
        break;
      }
      delete(served, DocumentName.parse(name), field, now).ifPresent(pending::add);
    }
    for (PendingCommit deletion : pending) {
      deletion.await();
      removed++;
    }
    return removed;
  }

  private static List<String> expired(
      Served served, Snapshot snapshot, String collectionId, FieldPath field, Value now) {
    IndexRange past =
        IndexRange.between(ValuePosition.before(ValueKind.TIMESTAMP), ValuePosition.after(now));
    List<String> names = new ArrayList<>();
    ParentName root = new ParentName(served.database().name(), "");
    for (CollectionView collection : snapshot.descendants(root, collectionId)) {
      var scan = collection.isIndexed(field)
          ? collection.byValue(field, past, false)
          : collection.byName(null, null, false);
      while (scan.hasNext() && names.size() < MOST_LOOKED_AT) {
        Document document = scan.next();
        if (isOver(document, field, now)) {
          names.add(document.getName());
        }
      }
    }
    return names;
  }

  /** Deletes the document, unless it was given more time or a transaction holds it: the next sweep looks again. */
  private static Optional<PendingCommit> delete(
      Served served, DocumentName name, FieldPath field, Value now) {
    Write write = Write.newBuilder().setDelete(name.toString()).build();
    CommitGate stillOver = (present, micros, staged) -> {
      for (StagedWrite only : staged) {
        if (!isOver(only.before(), field, now)) {
          throw FirestoreServerException.failedPrecondition(
              "The document has been given more time.");
        }
      }
    };
    try {
      return served
          .transactions()
          .startUnlessLocked(List.of(served.planner().plan(write)), stillOver);
    } catch (FirestoreServerException e) {
      return Optional.empty();
    }
  }

  private static boolean isOver(@Nullable Document document, FieldPath field, Value now) {
    Value end = document == null ? null : Fields.get(document.getFieldsMap(), field);
    return end != null
        && end.hasTimestampValue()
        && Times.micros(end.getTimestampValue()) <= Times.micros(now.getTimestampValue());
  }
}
