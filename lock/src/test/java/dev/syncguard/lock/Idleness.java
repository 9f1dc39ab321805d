package dev.syncguard.lock;

/** Lets tests of other packages see that nothing was left behind. */
public final class Idleness {

  private Idleness() {}

  public static boolean of(Locks locks) {
    return locks.isIdle();
  }
}
