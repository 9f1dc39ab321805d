package dev.syncguard.sync.remote;

import dev.syncguard.sync.state.SyncedFields;
import dev.syncguard.sync.text.Utf8;
import java.util.Map;

/** How many bytes Firestore counts for a document: names and texts in UTF-8 plus one each, numbers and times eight. */
public final class EnvelopeSize {

  private static final int SCALAR = 8;

  private EnvelopeSize() {}

  /** Returns the size of {@code envelope} at {@code path}. */
  public static int of(Envelope envelope, String path) {
    // A path costs its segments plus one each: as many bytes as with its slashes, plus one.
    int size = 32 + 16 + text(path);
    size += text("schemaVersion") + SCALAR + text("site") + text(envelope.site().id());
    size += text("lastPushedBy") + text(envelope.lastPushedBy()) + text("lastPushedAt") + SCALAR;
    size += envelope.lastPushedAtMs() == null ? 0 : text("lastPushedAtMs") + SCALAR;
    size += text("expiresAt") + SCALAR + text("fields");
    SyncedFields fields = envelope.fields();
    size += field("read", fields.read().updatedBy());
    for (String id : fields.read().value()) {
      size += text(id) + SCALAR;
    }
    SyncedFields.LoadFrom loadFrom = fields.loadFrom();
    size +=
        field("loadFrom", loadFrom.updatedBy()) + text("version") + SCALAR + text(loadFrom.value());
    size += field("authorPrefs", fields.authorPrefs().updatedBy());
    for (Map.Entry<String, SyncedFields.AuthorPref> entry :
        fields.authorPrefs().value().entrySet()) {
      size += text(entry.getKey()) + text("v") + SCALAR + text("version") + SCALAR;
      size +=
          text("updatedAt") + SCALAR + text("updatedBy") + text(entry.getValue().updatedBy());
    }
    return size;
  }

  private static int field(String name, String updatedBy) {
    return text(name)
        + text("updatedAt")
        + SCALAR
        + text("updatedBy")
        + text(updatedBy)
        + text("clearEpoch")
        + SCALAR
        + text("value");
  }

  private static int text(String text) {
    return Utf8.length(text) + 1;
  }
}
