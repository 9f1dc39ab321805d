package dev.syncguard.sync.simulation;

/** Everything that a story plays in. */
final class Scene {

  final World world;
  final Forum forum = new Forum();
  final Secrecy secrecy = new Secrecy(forum);
  final Cloud cloud;
  final Network network;
  final Ledger ledger;
  final Rules rules;

  /** The settings of a story that the promises depend on. */
  record Rules(int readCap, int authorCap, long writeFloor, long readOnlyWindow, int hardBudget) {}

  /** Returns what the account's document says now. */
  Contents contents(Forum.Account account) {
    Contents contents = Contents.NONE;
    for (String path : forum.paths(account)) {
      contents = cloud.contents(path);
    }
    return contents;
  }

  Scene(World world, Rules rules, Weather weather) {
    this.world = world;
    this.rules = rules;
    this.cloud = new Cloud(world);
    this.ledger = new Ledger(this);
    this.network = new Network(this, weather);
  }
}
