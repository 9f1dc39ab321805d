package dev.syncguard.sync.remote;

import dev.syncguard.sync.Site;
import dev.syncguard.sync.SyncedField;
import dev.syncguard.sync.state.Limits;
import dev.syncguard.sync.state.Merge;
import dev.syncguard.sync.state.SyncedFields;
import dev.syncguard.sync.text.Iso;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads an envelope from Firestore's typed JSON, and believes nothing.
 *
 * <p>The fixed structure must be right to the letter, or the whole envelope is refused. Single read marks and author
 * preferences, which the rules cannot check, are left out one by one when they are wrong.
 */
public final class EnvelopeDecoder {

  /** What a document turned out to be. */
  public sealed interface Decoded {}

  /**
   * A good one.
   *
   * @param dropped how many single entries were wrong and are left out
   */
  public record Good(Envelope envelope, int dropped) implements Decoded {}

  /** A document of a newer version of this program. */
  record Newer() implements Decoded {}

  /** Anything else. */
  record Bad(String reason) implements Decoded {}

  private static final Set<String> TOP = Set.of(
      "schemaVersion",
      "site",
      "lastPushedBy",
      "lastPushedAt",
      "lastPushedAtMs",
      "expiresAt",
      "fields");
  private static final Set<String> FIELDS = Set.of("read", "loadFrom", "authorPrefs");

  /** A field that the original script keeps in the same documents. It is not ours to read, to refuse or to lose. */
  private static final String OF_THE_ORIGINAL = "aiStudioPrefix";

  private static final Set<String> CHILDREN =
      Set.of("updatedAt", "updatedBy", "clearEpoch", "value");
  private static final Set<String> LOAD_FROM_CHILDREN =
      Set.of("updatedAt", "updatedBy", "version", "clearEpoch", "value");
  private static final Set<String> PREF_CHILDREN = Set.of("v", "version", "updatedAt", "updatedBy");

  private int dropped;

  private EnvelopeDecoder() {}

  /** Decodes the {@code fields} of a document that was found at a path of {@code site}. */
  public static Decoded decode(Map<String, Object> fields, Site site) {
    try {
      return new EnvelopeDecoder().envelope(fields, site);
    } catch (Wrong wrong) {
      return new Bad(wrong.what);
    }
  }

  /** Returns the epochs of a document that may be bad otherwise, and 0 where there are none to be found. */
  public static int salvageEpoch(Map<String, Object> fields, SyncedField field) {
    return salvage(fields, field, "clearEpoch");
  }

  /** Returns the version of {@code loadFrom} in a document that may be bad otherwise. */
  public static int salvageVersion(Map<String, Object> fields) {
    return salvage(fields, SyncedField.LOAD_FROM, "version");
  }

  private static int salvage(Map<String, Object> fields, SyncedField field, String name) {
    Map<String, Object> inner = TypedValue.map(fields.get("fields"));
    Map<String, Object> children = inner == null ? null : TypedValue.map(inner.get(field.id()));
    Long counter = children == null ? null : TypedValue.integer(children.get(name));
    return counter != null && Limits.isCounter(counter) ? counter.intValue() : 0;
  }

  private Decoded envelope(Map<String, Object> fields, Site site) throws Wrong {
    // The version comes first: nothing else of a newer document can be judged.
    Long version = TypedValue.integer(fields.get("schemaVersion"));
    if (version != null && version > 1) {
      return new Newer();
    }
    require(version != null && version == 1, "schemaVersion");
    require(TOP.containsAll(fields.keySet()), "an unknown member");
    require(site.id().equals(TypedValue.string(fields.get("site"))), "site");
    String pushedBy = label(fields, "lastPushedBy");
    String pushedAt = time(fields, "lastPushedAt");
    Long pushedAtMs = null;
    if (fields.containsKey("lastPushedAtMs")) {
      pushedAtMs = TypedValue.integer(fields.get("lastPushedAtMs"));
      require(
          pushedAtMs != null && pushedAtMs >= 0 && pushedAtMs <= Limits.HIGHEST_MILLIS,
          "lastPushedAtMs");
    }
    String expiresAt = time(fields, "expiresAt");
    Map<String, Object> inner = map(fields, "fields");
    Set<String> names = new LinkedHashSet<>(inner.keySet());
    names.remove(OF_THE_ORIGINAL);
    require(names.equals(FIELDS), "fields");
    SyncedFields synced = new SyncedFields(
        read(map(inner, "read")),
        loadFrom(map(inner, "loadFrom")),
        authorPrefs(map(inner, "authorPrefs")));
    return new Good(new Envelope(site, pushedBy, pushedAt, pushedAtMs, expiresAt, synced), dropped);
  }

  private SyncedFields.Read read(Map<String, Object> field) throws Wrong {
    require(field.keySet().equals(CHILDREN), "the members of read");
    Set<String> value = new LinkedHashSet<>();
    for (Map.Entry<String, Object> entry : map(field, "value").entrySet()) {
      Long mark = TypedValue.integer(entry.getValue());
      if (mark != null && mark == 1 && Limits.isReadKey(entry.getKey())) {
        value.add(entry.getKey());
      } else {
        dropped++;
      }
    }
    return new SyncedFields.Read(
        time(field, "updatedAt"), label(field, "updatedBy"), counter(field, "clearEpoch"), value);
  }

  private SyncedFields.LoadFrom loadFrom(Map<String, Object> field) throws Wrong {
    require(
        LOAD_FROM_CHILDREN.containsAll(field.keySet())
            && field.size() >= LOAD_FROM_CHILDREN.size() - (field.containsKey("value") ? 0 : 1),
        "the members of loadFrom");
    String value = "";
    Object typed = field.get("value");
    if (typed != null && !TypedValue.isNull(typed)) {
      String text = there(TypedValue.string(typed), "the value of loadFrom");
      value = Limits.normalLoadFrom(text);
      dropped += value.isEmpty() ? 1 : 0;
    }
    return new SyncedFields.LoadFrom(
        time(field, "updatedAt"),
        label(field, "updatedBy"),
        counter(field, "version"),
        counter(field, "clearEpoch"),
        value);
  }

  private SyncedFields.AuthorPrefs authorPrefs(Map<String, Object> field) throws Wrong {
    require(field.keySet().equals(CHILDREN), "the members of authorPrefs");
    Map<String, SyncedFields.AuthorPref> value = new LinkedHashMap<>();
    for (Map.Entry<String, Object> entry : map(field, "value").entrySet()) {
      SyncedFields.AuthorPref pref =
          Limits.isAuthorKey(entry.getKey()) ? pref(TypedValue.map(entry.getValue())) : null;
      if (pref == null) {
        dropped++;
      } else {
        value.put(entry.getKey(), pref);
      }
    }
    return new SyncedFields.AuthorPrefs(
        time(field, "updatedAt"), label(field, "updatedBy"), counter(field, "clearEpoch"), value);
  }

  private static SyncedFields.@Nullable AuthorPref pref(@Nullable Map<String, Object> entry) {
    if (entry == null || !entry.keySet().equals(PREF_CHILDREN)) {
      return null;
    }
    Long v = TypedValue.integer(entry.get("v"));
    Long version = TypedValue.integer(entry.get("version"));
    String updatedAt = TypedValue.timestamp(entry.get("updatedAt"));
    if (updatedAt == null) {
      // Some writers kept the times of single preferences as text. One that says nothing counts as
      // missing: it only decides which preferences are dropped first.
      String text = TypedValue.string(entry.get("updatedAt"));
      updatedAt = text != null && Iso.isMoment(text) ? text : Merge.LONG_AGO;
    }
    String updatedBy = TypedValue.string(entry.get("updatedBy"));
    if (v == null || version == null || updatedBy == null) {
      return null;
    }
    boolean fine = v >= -1 && v <= 1 && Limits.isCounter(version) && Limits.isLabel(updatedBy);
    return fine
        ? new SyncedFields.AuthorPref(v.intValue(), version.intValue(), updatedAt, updatedBy)
        : null;
  }

  private static Map<String, Object> map(Map<String, Object> parent, String name) throws Wrong {
    return there(TypedValue.map(parent.get(name)), name);
  }

  private static String time(Map<String, Object> parent, String name) throws Wrong {
    return there(TypedValue.timestamp(parent.get(name)), name);
  }

  private static String label(Map<String, Object> parent, String name) throws Wrong {
    String label = there(TypedValue.string(parent.get(name)), name);
    require(Limits.isLabel(label), name);
    return label;
  }

  private static int counter(Map<String, Object> parent, String name) throws Wrong {
    Long counter = there(TypedValue.integer(parent.get(name)), name);
    require(Limits.isCounter(counter), name);
    return counter.intValue();
  }

  private static <T> T there(@Nullable T value, String what) throws Wrong {
    if (value == null) {
      throw new Wrong(what);
    }
    return value;
  }

  private static void require(boolean condition, String what) throws Wrong {
    if (!condition) {
      throw new Wrong(what);
    }
  }

  /** Leaves the decoder at the first thing that is wrong. Never seen outside. */
  private static final class Wrong extends Exception {
    private final transient String what;

    Wrong(String what) {
      super(what, null, false, false);
      this.what = what;
    }
  }
}
