package dev.syncguard.firestore.server.store;

import com.google.firestore.v1.Document;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.UnsafeByteOperations;
import dev.syncguard.firestore.server.name.DatabaseName;
import java.io.IOException;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The documents that somebody holds at the moment. Whoever asks for the same state of a document gets the same object, so
 * that many slow readers of one answer take no more of the heap than one. Thread-safe.
 */
final class SharedDocuments {
  private static final class Held extends WeakReference<Document> {
    private final String path;
    private final byte[] bytes;

    Held(String path, byte[] bytes, Document document, ReferenceQueue<Document> gone) {
      super(document, gone);
      this.path = path;
      this.bytes = bytes;
    }

    @Nullable
    Document of(byte[] wanted) {
      return bytes == wanted || Arrays.equals(bytes, wanted) ? get() : null;
    }
  }

  private final String prefix;
  private final Map<String, Held> held = new ConcurrentHashMap<>();
  private final ReferenceQueue<Document> gone = new ReferenceQueue<>();

  SharedDocuments(DatabaseName database) {
    this.prefix = database.documents() + "/";
  }

  /** Returns the document at a path that these bytes are, which leave out its name. */
  Document get(String path, byte[] bytes) {
    Held known = held.get(path);
    Document document = known == null ? null : known.of(bytes);
    if (document == null) {
      document = parse(path, bytes);
      put(path, bytes, document);
    }
    return document;
  }

  /** Takes a document that somebody holds already. */
  void put(String path, byte[] bytes, Document document) {
    forgetGone();
    held.put(path, new Held(path, bytes, document, gone));
  }

  private Document parse(String path, byte[] bytes) {
    // Nobody changes the array, so that blobs need not be copied out of it.
    CodedInputStream in = UnsafeByteOperations.unsafeWrap(bytes).newCodedInput();
    in.enableAliasing(true);
    try {
      return Document.newBuilder().mergeFrom(in).setName(prefix + path).build();
    } catch (IOException e) {
      throw new IllegalStateException("These bytes were a document", e);
    }
  }

  private void forgetGone() {
    Reference<? extends Document> next = gone.poll();
    while (next instanceof Held forgotten) {
      held.remove(forgotten.path, forgotten);
      next = gone.poll();
    }
  }
}
