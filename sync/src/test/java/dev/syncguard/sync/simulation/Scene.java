package dev.syncguard.sync.simulation;

import dev.syncguard.sync.replay.Recorder;
import dev.syncguard.sync.replay.Settings;
import java.util.function.Function;

/** Everything that a story plays in. */
final class Scene {

  final World world;
  final Forum forum = new Forum();
  final Secrecy secrecy = new Secrecy(forum);
  final Cloud cloud;
  final Network network;
  final Ledger ledger;

  /** Where somebody sits who is nobody's reader. */
  final Device stranger;

  final Rules rules;

  /** Gives each new engine somebody who writes down what it does. */
  final Function<Settings, Recorder> recorders;

  /** The settings of a story that the promises depend on. */
  record Rules(int readCap, int authorCap, long writeFloor, long readOnlyWindow, int hardBudget) {}

  /** Returns what the account's document says now. */
  Contents contents(Forum.Account account) {
    return cloud.contents(path(account));
  }

  /** Returns where the account's document is, or nothing if it has no place yet. */
  String path(Forum.Account account) {
    String last = "";
    for (String path : forum.paths(account)) {
      last = path;
    }
    return last;
  }

  Scene(World world, Rules rules, Weather weather, Function<Settings, Recorder> recorders) {
    this.world = world;
    this.rules = rules;
    this.recorders = recorders;
    this.cloud = new Cloud(world);
    this.ledger = new Ledger(this);
    this.stranger = new Device(world, "a stranger", Device.SharedStorage.WORKS, true, 0);
    this.network = new Network(this, weather);
  }
}
