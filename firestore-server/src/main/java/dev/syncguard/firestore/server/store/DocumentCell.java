package dev.syncguard.firestore.server.store;

import com.google.firestore.v1.Document;
import dev.syncguard.firestore.server.name.DocumentName;
import org.jspecify.annotations.Nullable;

/** The place of one document, with its present state and those of the recent past. */
final class DocumentCell {
  final DocumentName name;
  final String id;
  private @Nullable Document current;
  private long since;
  private @Nullable DocumentVersion newest;
  private @Nullable DocumentVersion oldest;

  /** @param id the last part of the name; whoever keeps it, too, shares it with us */
  DocumentCell(DocumentName name, String id) {
    this.name = name;
    this.id = id;
  }

  @Nullable
  Document current() {
    return current;
  }

  @Nullable
  Document at(long micros) {
    if (since <= micros) {
      return current;
    }
    DocumentVersion version = newest;
    while (version != null && version.micros > micros) {
      version = version.older;
    }
    return version == null ? null : version.document();
  }

  /** Takes the next state and returns how much of the heap the one before it goes on to take. */
  int put(long micros, @Nullable Document document) {
    // The past is seldom read and often long, so it is kept as bytes: a quarter of what objects
    // take.
    DocumentVersion past = new DocumentVersion(since, current, newest);
    if (newest == null) {
      oldest = past;
    } else {
      newest.newer = past;
    }
    newest = past;
    current = document;
    since = micros;
    return past.heapBytes();
  }

  /** Forgets what no reader at or after the horizon can see; returns whether nothing is left to see. */
  boolean forgetBefore(long horizon) {
    while (oldest != null && (oldest.newer == null ? since : oldest.newer.micros) <= horizon) {
      oldest = oldest.newer;
      if (oldest == null) {
        newest = null;
      } else {
        oldest.older = null;
      }
    }
    return newest == null && current == null && since <= horizon;
  }
}
