package dev.syncguard.sync.simulation;

import dev.syncguard.sync.Site;
import java.util.List;
import java.util.Random;

/**
 * What befalls a story from outside of sync: a document expires, somebody who has got hold of the secret writes one, or a
 * disk spoils what a device knows about its own state.
 *
 * <p>Three stories in four are spared, and tell the same as if there were no outsider: chance is this one's own.
 */
final class Outsider {

  private enum Trade {
    EXPIRY,
    FORGERY,
    SPOILT_META,
    NONE
  }

  private static final int STORIES_PER_TRADE = 12;
  private static final int ACTIONS_PER_DEED = 20;

  private final Scene scene;
  private final Random random;
  private final Forger forger;
  private final Trade trade;

  /** @param oneReader whether nobody but one person reads in the story */
  Outsider(Scene scene, long seed, boolean oneReader) {
    this.scene = scene;
    this.random = new Random(~seed * 0x9E3779B97F4A7C15L);
    this.forger = new Forger(scene, random);
    Trade drawn = switch (random.nextInt(STORIES_PER_TRADE)) {
      case 0 -> Trade.EXPIRY;
      case 1 -> Trade.FORGERY;
      case 2 -> Trade.SPOILT_META;
      default -> Trade.NONE;
    };
    // A device that has forgotten whose state it holds takes the next to log in for its owner,
    // which
    // is told as a limit.
    this.trade = drawn == Trade.SPOILT_META && !oneReader ? Trade.NONE : drawn;
  }

  /** Does what it does, once in a while. */
  void perhapsStrike(Device device, Site site, String user) {
    if (trade == Trade.NONE || random.nextInt(ACTIONS_PER_DEED) > 0) {
      return;
    }
    Forum.Account account = new Forum.Account(site, user);
    switch (trade) {
      case EXPIRY -> expire(account);
      case FORGERY -> forger.forge(account);
      case SPOILT_META -> spoil(device, site);
      case NONE -> {}
    }
  }

  private void expire(Forum.Account account) {
    if (scene.cloud.holds(scene.path(account))) {
      scene.world.say(() -> "the document of " + account + " expires");
      Contents lost = scene.contents(account);
      scene.cloud.expire(scene.path(account));
      scene.ledger.overwritten(account, lost);
    }
  }

  private void spoil(Device device, Site site) {
    List.copyOf(device.tabs).forEach(Tab::crash);
    String good = device.values.get(Meta.key(site));
    if (good == null || good.isEmpty()) {
      return;
    }
    String spoilt = switch (random.nextInt(6)) {
      case 0 -> "";
      case 1 -> "null";
      case 2 -> "[" + good + "]";
      case 3 -> good.substring(0, random.nextInt(good.length()));
      case 4 -> good.replace("\"schemaVersion\":1", "\"schemaVersion\":2");
      default -> "\u0000\ufffd\t\n" + good.substring(good.length() / 2);
    };
    scene.world.say(() -> device + ": what it knew about its state is spoilt");
    device.values.put(Meta.key(site), spoilt);
    scene.ledger.metaSpoilt(new Ledger.Place(device, site));
  }

  /** What happens while everybody is away for long: nothing, or what nobody renews expires. */
  void meanwhile(Forum.Account account) {
    boolean abandoned = trade == Trade.EXPIRY || scene.cloud.isUnusable(scene.path(account));
    // Nobody here can put right what a newer version wrote.
    if (scene.cloud.isNewer(scene.path(account)) || (abandoned && random.nextBoolean())) {
      expire(account);
    }
  }
}
