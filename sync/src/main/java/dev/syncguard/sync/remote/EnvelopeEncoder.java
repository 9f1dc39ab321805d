package dev.syncguard.sync.remote;

import dev.syncguard.sync.SyncedField;
import dev.syncguard.sync.state.Limits;
import dev.syncguard.sync.state.SyncedFields;
import dev.syncguard.sync.text.Iso;
import dev.syncguard.sync.text.Json;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** Writes an envelope in Firestore's typed JSON, and refuses one that the rules would refuse. */
public final class EnvelopeEncoder {

  private final StringBuilder out = new StringBuilder(1024);

  private EnvelopeEncoder() {}

  /**
   * Returns the {@code fields} of the document.
   *
   * @throws IllegalArgumentException if anything in it is out of bounds
   */
  public static String encode(Envelope envelope) {
    EnvelopeEncoder encoder = new EnvelopeEncoder();
    encoder.out.append("{\"schemaVersion\":");
    encoder.integer(1);
    encoder.text(",\"site\":", envelope.site().id());
    encoder.out.append(',');
    return encoder.rest(envelope, field -> true);
  }

  /**
   * Returns the {@code fields} of an update of an existing document.
   *
   * @param mask the paths that the update is about
   * @throws IllegalArgumentException if anything in it is out of bounds
   */
  public static String encode(Envelope envelope, List<String> mask) {
    EnvelopeEncoder encoder = new EnvelopeEncoder();
    encoder.out.append('{');
    return encoder.rest(envelope, field -> {
      for (String path : mask) {
        if (path.startsWith("fields." + field.id())) {
          return true;
        }
      }
      return false;
    });
  }

  private String rest(Envelope envelope, Predicate<SyncedField> included) {
    SyncedFields fields = envelope.fields();
    label("\"lastPushedBy\":", envelope.lastPushedBy());
    time(",\"lastPushedAt\":", envelope.lastPushedAt());
    Long pushedAtMs = envelope.lastPushedAtMs();
    if (pushedAtMs != null) {
      require(pushedAtMs >= 0 && pushedAtMs <= Limits.HIGHEST_MILLIS, "lastPushedAtMs");
      out.append(",\"lastPushedAtMs\":");
      integer(pushedAtMs);
    }
    time(",\"expiresAt\":", envelope.expiresAt());
    out.append(",\"fields\":{\"mapValue\":{\"fields\":{");
    if (included.test(SyncedField.READ)) {
      read(fields.read());
    }
    if (included.test(SyncedField.LOAD_FROM)) {
      separate();
      loadFrom(fields.loadFrom());
    }
    if (included.test(SyncedField.AUTHOR_PREFS)) {
      separate();
      authorPrefs(fields.authorPrefs());
    }
    return out.append("}}}}").toString();
  }

  private void separate() {
    if (out.charAt(out.length() - 1) == '}') {
      out.append(',');
    }
  }

  private void read(SyncedFields.Read read) {
    out.append("\"read\":{\"mapValue\":{\"fields\":{");
    common(read.updatedAt(), read.updatedBy(), read.clearEpoch());
    out.append(",\"value\":{\"mapValue\":{\"fields\":");
    char before = '{';
    for (String id : read.value()) {
      require(Limits.isReadKey(id), "a read mark");
      Json.quote(out.append(before), id);
      out.append(":{\"integerValue\":\"1\"}");
      before = ',';
    }
    out.append(before == '{' ? "{}" : "}").append("}}}}}");
  }

  private void loadFrom(SyncedFields.LoadFrom loadFrom) {
    out.append("\"loadFrom\":{\"mapValue\":{\"fields\":{");
    common(loadFrom.updatedAt(), loadFrom.updatedBy(), loadFrom.clearEpoch());
    counter(",\"version\":", loadFrom.version());
    String value = loadFrom.value();
    if (!value.isEmpty()) {
      require(Limits.normalLoadFrom(value).equals(value), "loadFrom");
      text(",\"value\":", value);
    }
    out.append("}}}");
  }

  private void authorPrefs(SyncedFields.AuthorPrefs prefs) {
    out.append("\"authorPrefs\":{\"mapValue\":{\"fields\":{");
    common(prefs.updatedAt(), prefs.updatedBy(), prefs.clearEpoch());
    out.append(",\"value\":{\"mapValue\":{\"fields\":");
    char before = '{';
    for (Map.Entry<String, SyncedFields.AuthorPref> entry : prefs.value().entrySet()) {
      SyncedFields.AuthorPref pref = entry.getValue();
      require(Limits.isAuthorKey(entry.getKey()), "an author");
      require(pref.v() >= -1 && pref.v() <= 1, "a preference");
      Json.quote(out.append(before), entry.getKey());
      out.append(":{\"mapValue\":{\"fields\":{\"v\":");
      integer(pref.v());
      counter(",\"version\":", pref.version());
      time(",\"updatedAt\":", pref.updatedAt());
      label(",\"updatedBy\":", pref.updatedBy());
      out.append("}}}");
      before = ',';
    }
    out.append(before == '{' ? "{}" : "}").append("}}}}}");
  }

  private void common(String updatedAt, String updatedBy, int clearEpoch) {
    time("\"updatedAt\":", updatedAt);
    label(",\"updatedBy\":", updatedBy);
    counter(",\"clearEpoch\":", clearEpoch);
  }

  private void counter(String name, int value) {
    require(Limits.isCounter(value), "a counter");
    out.append(name);
    integer(value);
  }

  private void label(String name, String value) {
    require(Limits.isLabel(value), "a label");
    text(name, value);
  }

  private void time(String name, String value) {
    require(Iso.isMoment(value), "a time");
    out.append(name).append("{\"timestampValue\":\"").append(value).append("\"}");
  }

  private void text(String name, String value) {
    Json.quote(out.append(name).append("{\"stringValue\":"), value);
    out.append('}');
  }

  private void integer(long value) {
    out.append("{\"integerValue\":\"").append(value).append("\"}");
  }

  private static void require(boolean condition, String what) {
    if (!condition) {
      throw new IllegalArgumentException(
          "The envelope cannot be written: " + what + " is out of bounds");
    }
  }
}
