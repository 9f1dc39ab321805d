package dev.syncguard.firestore.server.store;

import com.google.firestore.v1.Document;
import org.jspecify.annotations.Nullable;

/** Writes commits into the key space: documents, names, indexes and history. One thread may use it at a time. */
final class CommitWriter {
  private final KeySpace keys;
  private final IndexEntries indexes;
  private final History history;
  private final SharedDocuments documents;

  CommitWriter(KeySpace keys, IndexPolicy policy, History history, SharedDocuments documents) {
    this.documents = documents;
    this.keys = keys;
    this.indexes = new IndexEntries(policy, keys);
    this.history = history;
  }

  void write(Commit commit) {
    for (Change change : commit.changes()) {
      String path = change.name().path();
      byte[] before = write(path, change.before(), change.after());
      history.add(commit.micros(), path, before == null ? Keys.NOTHING : before);
    }
    keys.tidy();
  }

  /** Writes a document that has no past. */
  void load(String path, Document document) {
    write(path, null, document);
    keys.tidy();
  }

  private byte @Nullable [] write(String path, @Nullable Document known, @Nullable Document after) {
    byte[] key = Keys.document(path);
    byte[] before;
    if (after == null) {
      before = keys.remove(key);
    } else {
      byte[] bytes = bytes(after);
      before = keys.put(key, bytes);
      documents.put(path, bytes, after);
    }
    if ((before == null) != (after == null)) {
      writeName(path, after != null);
    }
    Document replaced = known == null && before != null ? documents.get(path, before) : known;
    indexes.update(path, replaced, after);
    return before;
  }

  private void writeName(String path, boolean exists) {
    int end = path.lastIndexOf('/');
    int start = path.lastIndexOf('/', end - 1);
    if (start > 0) { // below another document
      byte[] key = Keys.name(path.substring(start + 1, end), path);
      if (exists) {
        keys.put(key, Keys.NOTHING);
      } else {
        keys.remove(key);
      }
    }
  }

  // The name is in the key already.
  private static byte[] bytes(Document document) {
    return document.toBuilder().clearName().build().toByteArray();
  }
}
