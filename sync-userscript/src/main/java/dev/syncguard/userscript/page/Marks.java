package dev.syncguard.userscript.page;

import dev.syncguard.sync.KeyValueStore;
import dev.syncguard.sync.ReaderState;
import dev.syncguard.sync.Site;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What counts as read: the marks that all devices share, except for those that were taken back here.
 *
 * <p>A mark that another device has cannot be taken away from it, and the next merge brings it back. So this device
 * remembers which marks it does not want to see.
 */
final class Marks {

  private static final int MOST_TAKEN_BACK = 2_000;

  private final ReaderState state;
  private final KeyValueStore values;
  private final String key;
  private final List<List<String>> steps = new ArrayList<>();
  private String takenBackText = "";
  private Set<String> takenBack = Set.of();

  Marks(Site site, ReaderState state, KeyValueStore values) {
    this.state = state;
    this.values = values;
    this.key = key(site);
  }

  /** Returns the name under which the marks that were taken back are stored. */
  static String key(Site site) {
    return site.keyPrefix() + "power-reader-taken-back";
  }

  /** Returns the ids that count as read. */
  Set<String> read() {
    Set<String> without = takenBack();
    if (without.isEmpty()) {
      return state.read();
    }
    Set<String> read = new LinkedHashSet<>(state.read());
    read.removeAll(without);
    return read;
  }

  /** Marks items as read, as one step that can be undone. */
  void mark(List<String> ids) {
    keep(ids, false);
    state.markRead(ids);
    steps.add(ids);
  }

  void takeBack(List<String> ids) {
    keep(ids, true);
    state.forgetRead(ids);
  }

  boolean canUndo() {
    return !steps.isEmpty();
  }

  /** Returns how many items the last step marked. */
  int lastStep() {
    return steps.isEmpty() ? 0 : steps.get(steps.size() - 1).size();
  }

  /** Takes the last step back and returns its items. */
  List<String> undo() {
    List<String> last = steps.remove(steps.size() - 1);
    takeBack(last);
    return last;
  }

  /** Goes on with another date: marks before it are no longer needed, and nothing can be undone. */
  void moveTo(long moment, Collection<Item> items) {
    state.setLoadFrom(Dates.iso(moment));
    List<String> ids = new ArrayList<>();
    for (Item item : items) {
      if (item.postedAtMillis() < moment) {
        ids.add(item.id());
      }
    }
    keep(ids, false);
    state.forgetRead(ids);
    steps.clear();
  }

  private Set<String> takenBack() {
    String text = values.get(key);
    if (text == null) {
      text = "";
    }
    if (!text.equals(takenBackText)) {
      takenBackText = text;
      takenBack = new LinkedHashSet<>();
      for (int start = 0; start < text.length(); ) {
        int end = text.indexOf(' ', start);
        takenBack.add(text.substring(start, end < 0 ? text.length() : end));
        start = end < 0 ? text.length() : end + 1;
      }
    }
    return takenBack;
  }

  private void keep(List<String> ids, boolean back) {
    Set<String> next = new LinkedHashSet<>(takenBack());
    ids.forEach(next::remove);
    if (back) {
      next.addAll(ids);
    }
    if (next.equals(takenBack())) {
      return;
    }
    int tooMany = next.size() - MOST_TAKEN_BACK;
    StringBuilder text = new StringBuilder();
    for (String id : next) {
      if (tooMany-- <= 0) {
        text.append(text.length() == 0 ? "" : " ").append(id);
      }
    }
    values.set(key, text.toString());
  }
}
