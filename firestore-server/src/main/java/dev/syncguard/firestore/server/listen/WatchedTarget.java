package dev.syncguard.firestore.server.listen;

import com.google.firestore.v1.Document;
import dev.syncguard.firestore.server.name.DocumentName;
import dev.syncguard.firestore.server.store.Change;
import dev.syncguard.firestore.server.store.Commit;
import dev.syncguard.firestore.server.store.Snapshot;
import dev.syncguard.firestore.server.store.Topic;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** What a target stands for: some documents, found again in any snapshot. */
interface WatchedTarget {
  /** Refuses a listener that may not see the target. Returns the documents that this depends on. */
  Set<DocumentName> authorize(Snapshot snapshot);

  /** Hands over the documents of the target one by one, in the order to send them. */
  void find(Snapshot snapshot, Consumer<Document> found);

  /** Returns what a commit must be about to concern the target, beside the documents that its permission depends on. */
  Set<Topic> topics();

  /** Returns the names that the client must be told about even if nothing is there. */
  List<String> expectedNames();

  /** Returns whether each change can be judged on its own, without looking at other documents. */
  boolean isIndependent();

  /** Returns whether a document belongs to the target for what is in it, and for nothing else. */
  default boolean isFilter() {
    return isIndependent() && expectedNames().isEmpty();
  }

  /** Returns whether the target has the document. */
  boolean contains(Document document);

  /** Returns whether the commit may concern the target. */
  default boolean isTouchedBy(Commit commit) {
    for (Change change : commit.changes()) {
      Document before = change.before();
      Document after = change.after();
      if ((before != null && contains(before)) || (after != null && contains(after))) {
        return true;
      }
    }
    return false;
  }

  /** Returns the document as the listener is to see it. */
  Document project(Document document);
}
