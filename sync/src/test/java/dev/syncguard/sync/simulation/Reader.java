package dev.syncguard.sync.simulation;

import dev.syncguard.sync.ReaderState;
import dev.syncguard.sync.ResetOutcome;
import dev.syncguard.sync.Site;
import dev.syncguard.sync.replay.RecordedEngine;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** Whoever sits before a tab: reads, changes their mind, and tells the ledger what they said. */
final class Reader {

  private static final long LONGEST_RESET = 10 * 60_000;

  private final Scene scene;
  private final World world;
  private int marks;

  Reader(Scene scene) {
    this.scene = scene;
    this.world = scene.world;
  }

  void mark(Tab tab, int count) {
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      ids.add(tab.site.id() + "-" + ++marks);
    }
    world.say(() -> tab + ": marks " + ids);
    int epoch = scene.ledger.epoch(tab, Kind.READ);
    boolean promised = tab.act(() -> tab.engine.reader().markRead(ids));
    ids.forEach(id -> scene.ledger.edited(tab, Kind.READ, id, "1", epoch, promised));
  }

  /** Drops marks from the device, pushed or not. */
  void forget(Tab tab) {
    List<String> ids = new ArrayList<>();
    for (String id : tab.engine.reader().read()) {
      if (world.oneIn(3)) {
        ids.add(id);
      }
    }
    world.say(() -> tab + ": forgets " + ids);
    tab.act(() -> tab.engine.reader().forgetRead(ids));
    waive(tab, edit -> edit.kind == Kind.READ && ids.contains(edit.key));
  }

  void chooseDate(Tab tab) {
    boolean recent = world.oneIn(6);
    String value = recent ? ReaderState.LOAD_RECENT : date();
    boolean clears = world.oneIn(8);
    world.say(() -> tab + ": loads from " + value + (clears ? " and drops its marks" : ""));
    setLoadFrom(tab, value, clears);
    if (recent && world.oneIn(2)) {
      // As the page does it: the first batch comes in, and the date of its oldest entry takes over.
      String oldest = date();
      world.after(world.below(5_000), () -> {
        if (tab.isAlive()) {
          tab.act(tab.engine.reader()::feedLoaded);
          setLoadFrom(tab, oldest, false);
        }
      });
    }
  }

  private void setLoadFrom(Tab tab, String value, boolean clears) {
    if (!tab.isAlive()) {
      return;
    }
    RecordedEngine.Reader reader = tab.engine.reader();
    boolean same = value.equals(reader.loadFrom());
    int epoch = scene.ledger.epoch(tab, Kind.LOAD_FROM);
    boolean promised = tab.act(() -> {
      if (clears) {
        reader.setLoadFromAndClearRead(value);
      } else {
        reader.setLoadFrom(value);
      }
    });
    if (!same) {
      scene.ledger.edited(tab, Kind.LOAD_FROM, "", value, epoch, promised);
    }
    if (clears) {
      waive(tab, edit -> edit.kind == Kind.READ);
    }
  }

  void startOver(Tab tab) {
    world.say(() -> tab + ": clears its own marks and date");
    tab.act(tab.engine.reader()::clearReadState);
    waive(tab, edit -> edit.kind != Kind.AUTHORS);
  }

  private String date() {
    return Instant.ofEpochMilli(world.trueMillis() - 1000L * world.below(10_000_000))
        .toString();
  }

  void prefer(Tab tab) {
    String author = Story.AUTHORS.get(world.below(Story.AUTHORS.size()));
    prefer(tab, author);
    if (world.oneIn(3)) {
      world.after(world.below(12_000), () -> {
        if (tab.isAlive()) {
          prefer(tab, author);
        }
      });
    }
  }

  private void prefer(Tab tab, String author) {
    int v = world.below(3) - 1;
    // What stands there while a clearing is half done is gone before anything is said.
    Integer before =
        tab.meta().emptying() ? null : tab.engine.reader().authorPreferences().get(author);
    world.say(() -> tab + ": says " + v + " to " + author);
    int epoch = scene.ledger.epoch(tab, Kind.AUTHORS);
    boolean promised = tab.act(() -> tab.engine.reader().setAuthorPreference(author, v));
    // A clearing that another tab had left half done comes first, and leaves nothing to take back.
    boolean saidNothing = promised && !tab.engine.reader().authorPreferences().containsKey(author);
    if (!saidNothing && (before == null ? v != 0 : before != v)) {
      scene.ledger.edited(tab, Kind.AUTHORS, author, String.valueOf(v), epoch, promised);
    }
  }

  void reset(Tab tab) {
    world.say(() -> tab + ": resets");
    tab.resetting = true;
    scene.ledger.waive(place(tab), edit -> true);
    boolean[] over = {false};
    tab.act(() -> tab.engine.reset(outcome -> {
      over[0] = true;
      world.say(() -> tab + ": has reset " + outcome);
      RecordedEngine.Reader reader = tab.engine.reader();
      boolean newer = outcome == ResetOutcome.REFUSED;
      Violation.unless(
          newer
              || tab.isStrange()
              || tab.emptied
              || isEmpty(reader)
              // Another tab's reset, of which this one cannot see the effect yet, has done it.
              || tab.device.lateness != null,
          "a reset empties the device",
          tab::toString);
      Violation.unless(
          !newer || scene.cloud.holdsNewer(tab.site),
          "only a newer version refuses a reset",
          tab::toString);
      world.after(0, tab::close);
    }));
    world.after(
        LONGEST_RESET,
        () ->
            Violation.unless(over[0] || !tab.isAlive(), "a reset comes to an end", tab::toString));
  }

  /** Takes over what was exported here or elsewhere. */
  void importState(Tab tab) {
    RecordedEngine.Reader reader = tab.engine.reader();
    List<String> ids = List.of(tab.site.id() + "-" + ++marks, tab.site.id() + "-" + ++marks);
    String author = Story.AUTHORS.get(world.below(Story.AUTHORS.size()));
    String date = date();
    Set<String> dropped = Set.copyOf(reader.read());
    int[] epochs = {
      scene.ledger.epoch(tab, Kind.READ),
      scene.ledger.epoch(tab, Kind.LOAD_FROM),
      scene.ledger.epoch(tab, Kind.AUTHORS)
    };
    String json = export(ids, date, author);
    world.say(() -> tab + ": imports " + json);
    boolean promised = tab.act(() -> {
      try {
        tab.engine.importState(json);
      } catch (IllegalStateException refused) {
        tab.refused = scene.ledger.mayRefuse(place(tab));
        Violation.unless(
            tab.isStrange() || tab.refused, "a reader may import their own state", tab::toString);
      }
    });
    waive(
        tab,
        edit ->
            (edit.kind == Kind.READ && dropped.contains(edit.key)) || edit.kind == Kind.AUTHORS);
    ids.forEach(id -> scene.ledger.edited(tab, Kind.READ, id, "1", epochs[0], promised));
    scene.ledger.edited(tab, Kind.LOAD_FROM, "", date, epochs[1], promised);
    scene.ledger.edited(tab, Kind.AUTHORS, author, "1", epochs[2], promised);
  }

  private static String export(List<String> ids, String date, String author) {
    return "{\"read\":{\"" + ids.get(0) + "\":1,\"" + ids.get(1) + "\":1},\"loadFrom\":\"" + date
        + "\",\"authorPrefs\":{\"" + author + "\":1}}";
  }

  /** Looks at everything there is to look at. */
  void inspect(Tab tab) {
    RecordedEngine engine = tab.engine;
    tab.act(() -> {
      scene.secrecy.check("the summary", engine.debugSummary());
      scene.secrecy.check("the export", engine.exportState());
      scene.secrecy.check("the status", engine.status().toString());
    });
  }

  /** Comes, goes, or asks for something. */
  void fiddle(Tab tab) {
    switch (world.below(6)) {
      case 0 -> {
        world.say(() -> tab + ": is hidden");
        tab.traffic.hurry();
        tab.act(tab.engine::pageHidden);
      }
      case 1, 2 -> {
        world.say(() -> tab + ": is seen");
        tab.act(tab.engine::pageVisible);
      }
      case 3 -> tab.act(tab.engine::pageFocused);
      case 4 -> {
        world.say(() -> tab + ": asks for a pull");
        tab.act(() -> tab.engine.pull(() -> {}));
      }
      default -> {
        world.say(() -> tab + ": asks for a push");
        tab.traffic.hurry();
        tab.act(() -> tab.engine.flush(() -> {}));
      }
    }
  }

  private static boolean isEmpty(RecordedEngine.Reader reader) {
    return reader.read().isEmpty()
        && reader.loadFrom().isEmpty()
        && reader.authorPreferences().isEmpty();
  }

  private void waive(Tab tab, Predicate<Edit> which) {
    if (!tab.isStrange()) {
      scene.ledger.waive(place(tab), which);
    }
  }

  private static Ledger.Place place(Tab tab) {
    return new Ledger.Place(tab.device, tab.site);
  }

  static List<Site> sites(boolean both) {
    return both ? List.of(Site.values()) : List.of(Site.LESSWRONG);
  }
}
