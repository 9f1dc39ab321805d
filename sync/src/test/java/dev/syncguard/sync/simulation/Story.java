package dev.syncguard.sync.simulation;

import dev.syncguard.sync.Site;
import dev.syncguard.sync.replay.Recorder;
import dev.syncguard.sync.replay.Settings;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A few devices with a few tabs each, over a network that may be bad, while people read, log in and out and reset, and
 * things crash. In the end the network gets well, everybody comes back, and all must be the same everywhere.
 */
final class Story {

  static final List<String> AUTHORS = List.of("ada", "bö b", "carl", "dora", "eve");

  private static final long HOUR = 3_600_000;
  private static final long START_BUDGET = 5_001;
  private static final int PLENTY = 200;
  private static final int ROUNDS = 4;

  /** Where three pushes use up what a day has before they come ten minutes apart. */
  private static final int ROUNDS_WHEN_PUSHES_ARE_RARE = 8;

  private final World world;
  private final Scene scene;
  private final Reader reader;
  private final List<Device> devices = new ArrayList<>();
  private final List<String> users = new ArrayList<>();
  private final List<Site> sites;
  private final Map<Site, Settings> settings = new EnumMap<>(Site.class);
  private final boolean losesSecrets;
  private final Outsider outsider;
  private final Trouble trouble;
  private int tabs;

  /** Whether all that goes wrong is over. */
  private boolean peaceful;

  Story(long seed, @Nullable Consumer<String> trace) {
    this(seed, trace, unused -> Recorder.off());
  }

  Story(long seed, @Nullable Consumer<String> trace, Function<Settings, Recorder> recorders) {
    world = new World(seed, trace);
    boolean smallCaps = world.oneIn(4);
    trouble = new Trouble(world, seed);
    boolean smallBudget = world.oneIn(6) || trouble.is(Circumstance.YEARS_OFF);
    Scene.Rules rules = new Scene.Rules(
        smallCaps ? 6 + world.below(20) : 10_000,
        smallCaps ? 3 : 1_000,
        5_000,
        45_000,
        smallBudget ? 6 : PLENTY);
    double badness = List.of(0.0, 0.03, 0.1, 0.25).get(world.below(4));
    scene = new Scene(
        world, rules, new Weather(badness, List.of(30, 300, 2_000).get(world.below(3))), recorders);
    losesSecrets = world.oneIn(15);
    reader = new Reader(scene);
    sites = Reader.sites(world.oneIn(4));
    for (Site site : sites) {
      settings.put(
          site,
          new Settings(
              site,
              world.oneIn(2),
              rules.readCap(),
              rules.authorCap(),
              smallBudget ? 3 : 100,
              rules.hardBudget()));
    }
    for (int i = 0; i <= world.below(world.oneIn(2) ? 2 : 1); i++) {
      String user = "userNo" + i + "x" + world.below(1_000_000);
      users.add(user);
      scene.secrecy.keepUser(user);
      if (!world.oneIn(4)) {
        for (Site site : sites) {
          String secret = new UUID(world.random.nextLong(), world.random.nextLong()).toString();
          scene.forum.setOverrides(
              new Forum.Account(site, user), "{\"pr_sync_secret_v1\":\"" + secret + "\"}");
        }
      }
    }
    for (int i = 0; i < 2 + world.below(1 + world.below(7)); i++) {
      devices.add(device("d" + i));
      trouble.befall(devices.get(i));
    }
    outsider = new Outsider(scene, seed, users.size() == 1);
  }

  private Device device(String name) {
    long clockError = world.oneIn(3) ? (world.below(48) - 24) * HOUR + world.below(3_600_000) : 0;
    Device device = new Device(
        world,
        name,
        world.oneIn(6)
            ? (world.oneIn(2) ? Device.SharedStorage.FORGETS : Device.SharedStorage.THROWS)
            : Device.SharedStorage.WORKS,
        !world.oneIn(4),
        clockError);
    for (Site site : sites) {
      if (!world.oneIn(10)) {
        device.sessions.put(site, users.get(world.oneIn(6) ? world.below(users.size()) : 0));
      }
    }
    return device;
  }

  /** Returns what happened to each document, for the model; nothing if marks may be dropped for want of room, which it does not know. */
  Collection<DocumentTrace> documentTraces() {
    return scene.rules.readCap() < 10_000 ? List.of() : scene.cloud.traces();
  }

  void play() {
    int actions = 30 + world.below(60);
    for (int i = 0; i < actions; i++) {
      world.runFor(pause());
      Device device = devices.get(world.below(devices.size()));
      somethingHappens(device);
      outsider.perhapsStrike(device, sites.get(i % sites.size()), users.get(i % users.size()));
      trouble.perhapsStrike(device, scene.network);
    }
    world.runFor(2_000);
    everybodyComesBack();
  }

  /** Returns how often somebody said something. */
  int edits() {
    return scene.ledger.edits().size();
  }

  private long pause() {
    if (world.oneIn(40)) {
      return 5 * 60_000L + world.below(40 * 60_000);
    }
    return world.oneIn(8) ? 20_000L + world.below(70_000) : world.below(6_000);
  }

  private void somethingHappens(Device device) {
    Site site = sites.get(world.below(sites.size()));
    switch (world.below(24)) {
      case 0 -> open(device, site);
      case 1 -> accident(device, site);
      case 2 -> logInOrOut(device, site);
      default -> somebodyReads(device, site);
    }
  }

  private void somebodyReads(Device device, Site site) {
    List<Tab> here =
        device.tabs.stream().filter(tab -> tab.site == site && !tab.resetting).toList();
    Tab tab = here.isEmpty() ? open(device, site) : here.get(world.below(here.size()));
    if (tab == null || !tab.isAlive()) {
      return;
    }
    tab.act(tab.engine::userActive);
    if (world.oneIn(12)) {
      tab.crashAfter(world.below(30));
    }
    if (!tab.isAlive()) {
      return;
    }
    switch (world.below(32)) {
      case 0 -> reader.reset(tab);
      case 1 -> reader.importState(tab);
      case 2 -> toggle(tab);
      case 3 -> reader.forget(tab);
      case 4 -> reader.inspect(tab);
      case 5, 6, 7 -> reader.chooseDate(tab);
      case 8, 9, 10, 11, 12, 13 -> reader.prefer(tab);
      case 14, 15, 16, 17, 18, 19 -> reader.fiddle(tab);
      case 20 -> reader.mark(tab, 1 + world.below(9));
      case 21 -> {
        if (world.oneIn(4)) {
          reader.startOver(tab);
        }
      }
      default -> reader.mark(tab, 1 + world.below(3));
    }
  }

  private void toggle(Tab tab) {
    boolean on = world.oneIn(2);
    world.say(() -> tab + ": switches sync " + (on ? "on" : "off"));
    tab.act(() -> tab.engine.setEnabled(on));
  }

  private void accident(Device device, Site site) {
    switch (world.below(8)) {
      case 0, 1 -> List.copyOf(device.tabs).forEach(Tab::crash);
      case 2 -> List.copyOf(device.tabs).forEach(Tab::close);
      case 3 -> device.jumpClock((world.below(14) - 7) * HOUR / 2);
      case 4, 5 -> {
        device.offline = true;
        world.say(() -> device + " goes offline");
        world.after(world.below(10 * 60_000), () -> device.offline = false);
      }
      case 6 -> device.shared.clear();
      default -> {
        if (losesSecrets) {
          world.say(() -> "the forum: loses a secret");
          scene.forum.loseOverrides(new Forum.Account(site, users.get(0)));
        }
      }
    }
  }

  private void logInOrOut(Device device, Site site) {
    String before = device.session(site);
    String after = world.oneIn(3) ? null : users.get(world.below(users.size()));
    if (after == null) {
      device.sessions.remove(site);
    } else {
      device.sessions.put(site, after);
    }
    world.say(() -> device + ": " + before + " makes way for " + after);
    // The page that logged in reloads; others stay as they are for a while.
    for (Tab tab : List.copyOf(device.tabs)) {
      if (tab.site == site) {
        world.after(world.below(60_000), tab::close);
      }
    }
    if (world.oneIn(2)) {
      open(device, site);
    }
  }

  private @Nullable Tab open(Device device, Site site) {
    Settings chosen = settings.get(site);
    if (chosen == null || device.tabs.size() >= 4) {
      return null;
    }
    Tab tab = new Tab(scene, device, device.name + "/" + site.id() + "/t" + tabs++, chosen);
    world.say(() -> tab + " opens");
    if (world.oneIn(15) && !peaceful) {
      tab.crashAfter(world.below(40));
    }
    boolean[] ready = {false};
    tab.act(() -> tab.engine.start(outcome -> {
      Violation.unless(!ready[0], "a start comes to an end once", tab::toString);
      ready[0] = true;
    }));
    world.after(
        START_BUDGET,
        () -> Violation.unless(
            ready[0] || !tab.isAlive() || tab.resetting,
            "the reader waits at most five seconds",
            tab::toString));
    return tab;
  }

  /** Opens a tab on which the end of the story depends. */
  private @Nullable Tab openInPeace(Device device, Site site) {
    Tab tab = open(device, site);
    Violation.unless(
        tab == null || tab.isAlive(), "whoever comes back in the end stays", device::toString);
    return tab;
  }

  private void everybodyComesBack() {
    world.say(() -> "everybody comes back");
    peaceful = true;
    scene.network.calmDown();
    for (Device device : devices) {
      List.copyOf(device.tabs).forEach(world.oneIn(2) ? Tab::close : Tab::crash);
      device.offline = false;
      trouble.end(device, scene.network);
      for (Site site : sites) {
        String owner = device.meta(site).user();
        device.sessions.put(site, owner == null ? users.get(0) : owner);
      }
    }
    // Long enough for every quota, budget and message on its way.
    world.runFor(26 * HOUR);
    for (Site site : sites) {
      users.forEach(user -> outsider.meanwhile(new Forum.Account(site, user)));
      resetWhatMakesNoSense(site);
    }
    Finale finale = new Finale(scene, List.of());
    int rounds = scene.rules.hardBudget() < PLENTY ? ROUNDS_WHEN_PUSHES_ARE_RARE : ROUNDS;
    for (int round = 0; round < rounds && (round < 2 || !finale.isQuiet()); round++) {
      finale = new Finale(scene, sit(round));
    }
    finale.check();
    if (scene.rules.hardBudget() > devices.size() + 10) {
      everybodyReadsOn();
    }
  }

  /** Does what sync advises when it finds a document that makes no sense. */
  private void resetWhatMakesNoSense(Site site) {
    for (Device device : devices) {
      String user = String.valueOf(device.session(site));
      if (scene.cloud.isUnusable(scene.path(new Forum.Account(site, user)))) {
        Tab tab = openInPeace(device, site);
        if (tab != null) {
          reader.reset(tab);
          world.runFor(60_000);
        }
      }
    }
  }

  /** All devices say something at the same time, and nobody comes back later: the races must end by themselves. */
  private void everybodyReadsOn() {
    List<Tab> sitting = devices.stream().flatMap(device -> device.tabs.stream()).toList();
    sitting.forEach(tab -> reader.mark(tab, 1));
    wait(sitting);
    for (Tab tab : sitting) {
      Violation.unless(
          tab.device.meta(tab.site).dirty().isEmpty(),
          "whoever has something to say gets to say it",
          tab::toString);
    }
  }

  private void wait(List<Tab> sitting) {
    for (int minute = 0; minute < 3; minute++) {
      world.runFor(60_000);
      sitting.forEach(tab -> tab.act(tab.engine::userActive));
    }
  }

  /** Opens one tab for each forum on each device, for as long as it takes to sync. */
  private List<Tab> sit(int round) {
    List<Tab> sitting = new ArrayList<>();
    for (Device device : devices) {
      List.copyOf(device.tabs).forEach(Tab::close);
      for (Site site : sites) {
        Tab tab = openInPeace(device, site);
        if (tab != null) {
          tab.act(() -> tab.engine.setEnabled(true));
          sitting.add(tab);
        }
      }
    }
    wait(sitting);
    world.say(() -> "round " + round + " is over");
    return sitting;
  }
}
