package dev.syncguard.sync.simulation;

import dev.syncguard.sync.SyncStatus;
import dev.syncguard.sync.replay.RecordedEngine;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What must hold once everything is quiet. */
final class Finale {

  /** What the label may say once all is well. Few pushes a day are part of some stories. */
  private static final Set<SyncStatus.Kind> WELL =
      EnumSet.of(SyncStatus.Kind.OK, SyncStatus.Kind.MARKS_CLEARED, SyncStatus.Kind.BUDGET_LIMITED);

  private final Scene scene;
  private final List<Tab> tabs;

  /** @param tabs one for each forum on each device, all of them idle */
  Finale(Scene scene, List<Tab> tabs) {
    this.scene = scene;
    this.tabs = tabs;
  }

  /** Returns whether all devices of each account hold what the server holds, and nothing waits to be pushed. */
  boolean isQuiet() {
    return tabs.stream().allMatch(tab -> difference(tab) == null);
  }

  void check() {
    for (Tab tab : tabs) {
      String difference = difference(tab);
      Violation.unless(
          difference == null, "all devices of a user converge", () -> tab + ": " + difference);
      Forum.Account account = account(tab);
      if (account != null && !scene.forum.hasMoved(account)) {
        nothingIsLost(account);
      }
    }
  }

  private @Nullable String difference(Tab tab) {
    Forum.Account account = account(tab);
    Meta meta = tab.device.meta(tab.site);
    if (account == null) {
      return "has found nobody to sync for: " + tab.engine.status().text();
    }
    Contents there = scene.contents(account);
    RecordedEngine.Reader here = tab.engine.reader();
    if (!here.read().equals(there.read())) {
      return "read " + new TreeSet<>(here.read()) + " but the server has " + there.read();
    }
    if (!here.loadFrom().equals(there.loadFrom())) {
      return "loads from " + here.loadFrom() + " but the server has " + there.loadFrom();
    }
    if (!opinions(here.authorPreferences()).equals(opinions(there.authors()))) {
      return "prefers " + here.authorPreferences() + " but the server has " + there.authors();
    }
    for (Kind kind : Kind.values()) {
      // Without a document there is nothing to have seen.
      if (!there.equals(Contents.NONE) && meta.epoch(kind) != there.epoch(kind)) {
        return kind + " is at epoch " + meta.epoch(kind) + " but at " + there.epoch(kind)
            + " on the server";
      }
    }
    if (!meta.dirty().isEmpty() || meta.resetPending()) {
      return "still has something to say: " + meta;
    }
    SyncStatus label = tab.engine.status();
    return !tab.isAlive() || WELL.contains(label.kind()) ? null : "agrees, but shows " + label;
  }

  private static Map<String, Integer> opinions(Map<String, Integer> authors) {
    Map<String, Integer> opinions = new TreeMap<>(authors);
    opinions.values().removeIf(v -> v == 0);
    return opinions;
  }

  private static Forum.@Nullable Account account(Tab tab) {
    String user = tab.device.meta(tab.site).user();
    return user == null ? null : new Forum.Account(tab.site, user);
  }

  private void nothingIsLost(Forum.Account account) {
    Contents contents = scene.contents(account);
    History history = scene.ledger.history(account);
    Map<String, Set<String>> candidates = new TreeMap<>();
    Set<String> saidFirmly = new HashSet<>();
    for (Edit edit : scene.ledger.edits()) {
      if (edit.place.site() != account.site()
          || !account.userId().equals(scene.ledger.owner(edit))
          || edit.epoch < contents.epoch(edit.kind)
          || (edit.epoch > contents.epoch(edit.kind) && !edit.forgotten)) {
        continue;
      }
      boolean required = edit.promised && !edit.waived && edit.epoch == contents.epoch(edit.kind);
      switch (edit.kind) {
        case READ ->
          Violation.unless(
              !required || history.shaken.contains(edit.key) || contents.read().contains(edit.key),
              "nothing that was promised gets lost",
              edit::toString);
        case LOAD_FROM ->
          Violation.unless(
              !required
                  || history.loadFromShaken
                  || Edit.rank(contents.loadFrom()) >= Edit.rank(edit.value),
              "nothing that was promised gets lost",
              edit::toString);
        case AUTHORS -> {
          candidates.computeIfAbsent(edit.key, author -> new HashSet<>()).add(edit.value);
          if (required) {
            saidFirmly.add(edit.key);
          }
        }
      }
    }
    if (scene.ledger.isStrictAboutAuthors(account)) {
      saidFirmly.removeAll(history.shaken);
      for (String author : saidFirmly) {
        Violation.unless(
            candidates
                .getOrDefault(author, Set.of())
                .contains(String.valueOf(contents.authors().getOrDefault(author, 0))),
            "nothing that was promised gets lost",
            () -> "the preference for " + author);
      }
    }
  }
}
