package dev.syncguard.sync.simulation;

import dev.syncguard.sync.Site;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Remembers what every reader said, and compares it, step by step, with what their devices store. */
final class Ledger {

  /** Where a reader's state is: a device holds one per forum. */
  record Place(Device device, Site site) {}

  /** How long after an edit the values of late tabs may still be mended. */
  private static final long SETTLING = 10_000;

  private final Scene scene;
  private final List<Edit> all = new ArrayList<>();
  private final Map<Place, List<Edit>> open = new HashMap<>();
  private final Map<Place, List<Edit>> unprotected = new HashMap<>();
  private final Map<Place, Long> spoiltUntil = new HashMap<>();
  private final Map<String, Edit> marks = new HashMap<>();
  private final Map<Place, String> firstOwners = new HashMap<>();
  private final Map<Forum.Account, History> histories = new HashMap<>();

  Ledger(Scene scene) {
    this.scene = scene;
  }

  List<Edit> edits() {
    return all;
  }

  /** Returns what was said of a mark last, or null if nobody ever made it. */
  @Nullable
  Edit mark(String id) {
    return marks.get(id);
  }

  History history(Forum.Account account) {
    return histories.computeIfAbsent(account, key -> new History());
  }

  /** Returns whose state the edit became part of, or null. */
  @Nullable
  String owner(Edit edit) {
    return edit.owner != null ? edit.owner : firstOwners.get(edit.place);
  }

  /** A reader has said something, knowing of so many clearings. */
  void edited(Tab tab, Kind kind, String key, String value, int epoch, boolean promised) {
    Place place = new Place(tab.device, tab.site);
    Meta meta = tab.meta();
    String owner = tab.person() == null ? meta.user() : tab.person();
    Edit edit = new Edit(kind, key, value, place, owner, epoch, promised);
    edit.saidIn(tab, scene.world.now());
    edit.waived = tab.refused && mayRefuse(place);
    if (isLate(place)) {
      eitherWay(edit, tab.device.meta(tab.site).epoch(kind));
      // Of two that were said at the same time, either may stand.
      edit.waived |= open.getOrDefault(place, List.of()).stream()
          .anyMatch(other ->
              other.kind == kind && other.key.equals(key) && other.tab != tab && isFresh(other));
    }
    all.add(edit);
    if (tab.isStrange()) {
      // It may be kept nowhere; should it turn up in a document, it must not be the new reader's.
      edit.waived = true;
    } else {
      waive(place, earlier -> earlier.kind == kind && earlier.key.equals(key));
      open.computeIfAbsent(place, unused -> new ArrayList<>()).add(edit);
    }
    if (kind == Kind.READ) {
      marks.put(key, edit);
    }
  }

  /** Returns of how many clearings the device knows. */
  int epoch(Tab tab, Kind kind) {
    return tab.meta().epoch(kind);
  }

  /** What the reader has taken back before it was pushed need not survive. */
  void waive(Place place, Predicate<Edit> which) {
    for (Edit edit : open.getOrDefault(place, List.of())) {
      edit.waived |= which.test(edit);
    }
    for (Edit edit : unprotected.getOrDefault(place, List.of())) {
      edit.waived |= which.test(edit);
    }
  }

  /** A reset empties a device: what was said there is out, whatever becomes of the reset. */
  void emptied(Tab by, Place place) {
    waive(place, edit -> true);
    for (Edit edit : open.getOrDefault(place, List.of())) {
      // What another tab says before it can know of the reset may fall on either side of it.
      edit.removed = !(isLate(place) && edit.tab != by && isFresh(edit));
    }
  }

  /**
   * Returns whether a reader may be told that a change was not kept: where values are late, where a device has forgotten its
   * last reset, or where a tab died moments ago, perhaps before it could tell the others of one.
   */
  boolean mayRefuse(Place place) {
    return isLate(place)
        || isSpoilt(place)
        || scene.world.now() - place.device().crashedAt < SETTLING;
  }

  static boolean isLate(Place place) {
    return place.device().lateness != null;
  }

  /** Returns whether the values of late tabs may still be on their way, or about to be mended. */
  private boolean isFresh(Edit edit) {
    return scene.world.now() - edit.saidAt < SETTLING;
  }

  /** An edit that its tab made before it could know of a clearing may be kept or not. */
  private static void eitherWay(Edit edit, int epoch) {
    if (epoch > edit.epoch) {
      edit.waived = true;
      edit.epoch = epoch;
    }
  }

  /** A tab has found out who is reading on a device that was nobody's. */
  void claimed(Tab tab, String user) {
    firstOwners.putIfAbsent(new Place(tab.device, tab.site), user);
  }

  /** A tab is gone. Where values are late, only it could have noticed that its last ones were overwritten. */
  void left(Tab tab) {
    Place place = new Place(tab.device, tab.site);
    if (isLate(place)) {
      waive(place, edit -> edit.tab == tab && isFresh(edit));
    }
  }

  /**
   * The document of an account is lost or replaced. What only the document had is gone; what the device on which it was
   * said still has will be pushed again, unless its reader takes it back meanwhile.
   */
  void overwritten(Forum.Account account, Contents lost) {
    History history = history(account);
    history.buried.clear();
    history.lostLoadFrom = Math.max(history.lostLoadFrom, Edit.rank(lost.loadFrom()));
    for (Edit edit : all) {
      if (edit.place.site() == account.site() && account.userId().equals(owner(edit))) {
        // A commit may have been carried out and not yet confirmed.
        boolean nothingToSay = edit.kind == Kind.AUTHORS && edit.value.equals("0");
        // Its device may have dropped it for a clearing and crashed before it took note of that.
        boolean cleared = edit.epoch < lost.epoch(edit.kind);
        edit.waived |= nothingToSay || cleared || (edit.isSettled() && !isHeld(edit));
        unprotected.computeIfAbsent(edit.place, unused -> new ArrayList<>()).add(edit);
      }
    }
  }

  private static boolean isHeld(Edit edit) {
    Place place = edit.place;
    return place.device().meta(place.site()).epoch(edit.kind) == edit.epoch
        && Holdings.of(place.device().values, place.site()).cover(edit)
        // What a late tab has dropped is gone, although the device does not know it yet.
        && place.device().tabs.stream()
            .filter(tab -> tab.site == place.site())
            .allMatch(tab -> Holdings.of(tab.values.view(), place.site()).cover(edit));
  }

  /** Somebody has made up the contents of an account. They are treated like anybody's, but may get lost. */
  void forged(Forum.Account account, Contents contents) {
    // What a device finds there already, it need not push.
    history(account).add(contents);
    Place nowhere = new Place(scene.stranger, account.site());
    for (String id : contents.read()) {
      Edit mark = forged(account, nowhere, Kind.READ, id, "1", contents);
      marks.merge(id, mark, (known, again) -> again.epoch > known.epoch ? again : known);
    }
    forged(account, nowhere, Kind.LOAD_FROM, "", contents.loadFrom(), contents);
    contents
        .authors()
        .forEach((author, v) ->
            forged(account, nowhere, Kind.AUTHORS, author, String.valueOf(v), contents));
  }

  private Edit forged(
      Forum.Account account, Place place, Kind kind, String key, String value, Contents contents) {
    Edit edit = new Edit(kind, key, value, place, account.userId(), contents.epoch(kind), true);
    edit.waived = true;
    all.add(edit);
    return edit;
  }

  /**
   * A device has lost all that it knew of clearings, so that any clearing puts out what it has, and of what was pushed, so
   * that it insists on all of its preferences.
   */
  void metaSpoilt(Place place) {
    // What it had cleared, and not yet said so, is forgotten with the clearing.
    waive(place, edit -> edit.epoch > 0 || !isHeld(edit));
    all.stream().filter(edit -> edit.place.equals(place)).forEach(edit -> edit.forgotten = true);
    spoiltUntil.put(place, Long.MAX_VALUE);
  }

  /** Returns whether the device has ever lost what it knew about its state. */
  boolean isSpoilt(Place place) {
    return spoiltUntil.containsKey(place);
  }

  /** Returns whether a device that has lost what it knew pushes all that it has. */
  boolean insistsOnEverything(Traffic.Sent sent) {
    return spoiltUntil.getOrDefault(new Place(sent.from().device, sent.from().site), -1L)
        > sent.step();
  }

  /** The forum has said who is reading. */
  void identified(Tab tab, String userId) {
    Place place = new Place(tab.device, tab.site);
    String before = tab.device.meta(tab.site).user();
    if (before != null && !before.equals(userId)) {
      scene.world.say(() -> tab + " changes hands");
      waive(place, edit -> true);
    }
    // Whoever it names: an answer that comes too late makes the tab ask again, and then it knows.
    boolean told = tab.isTold();
    if (userId.equals(before) && told) {
      tab.isUsedBy(userId);
    }
  }

  /** A device has stored what it knows about its own state. */
  void metaWritten(Tab by, Device device, Site site, Meta before, Meta after) {
    Place place = new Place(device, site);
    String user = after.user();
    if (user != null && !user.equals(before.user())) {
      if (before.user() != null) {
        device.handedOver(site);
      }
      by.isUsedBy(user);
    }
    if (user != null) {
      firstOwners.putIfAbsent(place, user);
    }
    boolean sameReader = Objects.equals(before.user(), user) && !after.epochs().isEmpty();
    if (sameReader && before.resetPending() && !after.emptying()) {
      // What was said since the device was emptied counts as said after the reset.
      for (Edit edit : open.getOrDefault(place, List.of())) {
        edit.epoch = edit.removed ? edit.epoch : Math.max(edit.epoch, after.epoch(edit.kind));
      }
    }
    for (Kind kind : Kind.values()) {
      if (isLate(place)) {
        for (Edit edit : open.getOrDefault(place, List.of())) {
          if (edit.kind == kind && edit.tab != by && isFresh(edit) && !edit.removed) {
            eitherWay(edit, after.epoch(kind));
          }
        }
      }
      // A late tab may overwrite what it has not seen; it is mended when it is heard of.
      Violation.unless(
          isLate(place) || !sameReader || user == null || after.epoch(kind) >= before.epoch(kind),
          "epochs never regress",
          () -> device + " went back in " + kind);
      if (!after.dirty().contains(kind) && sameReader) {
        settle(place, kind, after);
      }
    }
  }

  private void settle(Place place, Kind kind, Meta meta) {
    List<Edit> edits = open.computeIfAbsent(place, unused -> new ArrayList<>());
    for (Edit edit : edits) {
      // What a late tab knew when it wrote this may be older than the edit.
      if (edit.kind == kind && !(isLate(place) && isFresh(edit))) {
        Violation.unless(
            isLate(place)
                || edit.waived
                || !edit.promised
                || meta.epoch(kind) > edit.epoch
                || isStored(edit),
            "dirty is cleared only for what is stored",
            edit::toString);
        edit.settledAt = scene.world.step();
      }
    }
    edits.removeIf(Edit::isSettled);
    if (kind == Kind.AUTHORS) {
      spoiltUntil.computeIfPresent(place, (unused, until) -> Math.min(until, scene.world.step()));
    }
  }

  private boolean isStored(Edit edit) {
    String owner = owner(edit);
    if (owner == null) {
      return false;
    }
    Forum.Account account = new Forum.Account(edit.place.site(), owner);
    History history = history(account);
    return scene.forum.paths(account).stream()
        .map(scene.cloud::contents)
        .anyMatch(now -> now.epoch(edit.kind) > edit.epoch
            || switch (edit.kind) {
              case READ -> history.read.contains(edit.key);
              case LOAD_FROM ->
                history.loadFromShaken
                    || Math.max(history.lostLoadFrom, Edit.rank(now.loadFrom()))
                        >= Edit.rank(edit.value);
              case AUTHORS ->
                !isStrictAboutAuthors(account)
                    || history.authors.contains(edit.key + "=" + edit.value);
            });
  }

  /** Where preferences get dropped for lack of space, or start anew in another node, little can be said about them. */
  boolean isStrictAboutAuthors(Forum.Account account) {
    return scene.rules.authorCap() >= Story.AUTHORS.size() && !scene.forum.hasMoved(account);
  }
}
