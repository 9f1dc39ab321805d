package dev.syncguard.firestore.server.store;

import com.google.firestore.v1.Document;
import dev.syncguard.firestore.server.name.DocumentName;
import org.jspecify.annotations.Nullable;

/** The place of one document, with its present state and those of the recent past. */
final class DocumentCell {
  final DocumentName name;
  final String id;
  private @Nullable DocumentVersion latest;

  /** @param id the last part of the name; whoever keeps it, too, shares it with us */
  DocumentCell(DocumentName name, String id) {
    this.name = name;
    this.id = id;
  }

  @Nullable
  Document current() {
    return latest == null ? null : latest.document;
  }

  @Nullable
  Document at(long micros) {
    DocumentVersion version = latest;
    while (version != null && version.micros > micros) {
      version = version.older;
    }
    return version == null ? null : version.document;
  }

  void put(long micros, @Nullable Document document) {
    latest = new DocumentVersion(micros, document, latest);
  }

  /** Forgets what no reader at or after the horizon can see; returns whether nothing is left to see. */
  boolean forgetBefore(long horizon) {
    DocumentVersion version = latest;
    while (version != null && version.micros > horizon) {
      version = version.older;
    }
    if (version != null) {
      version.older = null;
    }
    return latest == null || (latest.document == null && latest.micros <= horizon);
  }
}
