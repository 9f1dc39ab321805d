package dev.syncguard.sync;

import dev.syncguard.sync.state.Caps;
import dev.syncguard.sync.state.LocalState;
import dev.syncguard.sync.state.Merge;
import dev.syncguard.sync.state.SyncedFields;
import dev.syncguard.sync.text.Json;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A document of some size and a device that knows all of it but its last entries, to merge or merely to look at.
 *
 * <p>It stands in the engine's package because merging is nobody's business outside of it. Not thread-safe.
 */
public final class FullEnvelope {

  private static final String TIME = "2026-01-01T00:00:00.000Z";
  private static final int MISSING = 10;

  private final SyncedFields remote;
  private final LocalState local;

  /** Creates one with so many read marks and preferences. */
  public FullEnvelope(int marks, int authors) {
    Set<String> read = new LinkedHashSet<>();
    for (int i = 0; i < marks; i++) {
      read.add("abcdefghijkl" + (10_000 + i));
    }
    Map<String, SyncedFields.AuthorPref> prefs = new LinkedHashMap<>();
    Map<String, Integer> known = new LinkedHashMap<>();
    for (int i = 0; i < authors; i++) {
      prefs.put("author " + i, new SyncedFields.AuthorPref(1, 3, TIME, "device:tab"));
      known.put("author " + i, i % 50 == 0 ? -1 : 1);
    }
    remote = new SyncedFields(
        new SyncedFields.Read(TIME, "device:tab", 1, read),
        new SyncedFields.LoadFrom(TIME, "device:tab", 1, 1, TIME),
        new SyncedFields.AuthorPrefs(TIME, "device:tab", 1, prefs));
    Set<String> here = new LinkedHashSet<>(read);
    here.removeIf(id -> id.hashCode() % MISSING == 0);
    here.add("onlyOnThisDevice");
    local = new LocalState(here, 1, TIME, 1, 1, known, 1, Set.of("author 0", "author 50"));
  }

  /** Returns both as JSON, for somebody else to merge. */
  public String json() {
    List<Object> preferences = new ArrayList<>();
    local.authorPrefs().forEach((author, v) -> preferences.add(List.of(author, v)));
    return Json.write(Map.of(
        "epoch",
        1,
        "local",
        Map.of(
            "read", List.copyOf(local.read()),
            "authors", preferences,
            "changed", List.copyOf(local.changedAuthors())),
        "remote",
        Map.of(
            "read", List.copyOf(remote.read().value()),
            "authors", List.copyOf(remote.authorPrefs().value().keySet()))));
  }

  /** Merges both and keeps the result within its caps. Returns its size. */
  public int merge() {
    SyncedFields merged =
        Merge.merge(local, remote, EnumSet.allOf(SyncedField.class), "device:tab", TIME);
    SyncedFields fitting = Caps.enforce(merged, 20_000, 2_000, "device:tab", TIME);
    return fitting.read().value().size() + fitting.authorPrefs().value().size();
  }

  /** Looks at every entry of both once, as any merge must. Returns how many the other side knows. */
  public int walk() {
    int common = 0;
    for (String id : local.read()) {
      common += remote.read().value().contains(id) ? 1 : 0;
    }
    for (String id : remote.read().value()) {
      common += local.read().contains(id) ? 1 : 0;
    }
    for (Map.Entry<String, Integer> entry : local.authorPrefs().entrySet()) {
      SyncedFields.AuthorPref there = remote.authorPrefs().value().get(entry.getKey());
      common += there != null && there.v() == entry.getValue() ? 1 : 0;
    }
    for (String author : remote.authorPrefs().value().keySet()) {
      common += local.authorPrefs().containsKey(author) ? 1 : 0;
    }
    return common;
  }
}
