package dev.syncguard.lock.testkit.wrong;

import dev.syncguard.torture.proxy.Network;
import java.time.Duration;

/** A network on which it is the store that fails, where others break down; everything else is done to the network itself. */
record PlainOutage(PlainStore store, PlainNetwork network) implements Network {

  @Override
  public void breakDown() {
    store.broken = true;
  }

  @Override
  public void heal() {
    store.broken = false;
    network.heal();
  }

  @Override
  public void cutAll() {
    network.cutAll();
  }

  @Override
  public void fallSilent() {
    network.fallSilent();
  }

  @Override
  public void loseNextRequest() {
    network.loseNextRequest();
  }

  @Override
  public void loseNextReply() {
    network.loseNextReply();
  }

  @Override
  public void delayNextRequest(Duration delay) {
    network.delayNextRequest(delay);
  }

  @Override
  public boolean hasFailed() {
    return network.hasFailed();
  }
}
