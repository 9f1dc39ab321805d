package dev.syncguard.sync.engine;

/** Makes good, a moment after another tab was heard of, what that tab has undone of this one's last changes. */
final class Mending {

  // The values of one change arrive one by one: in between, what was only moved looks lost.
  private static final long PAUSE = 2_500;

  private final Session session;
  private final Runnable mended;
  private boolean planned;
  private boolean over;

  /** @param mended called whenever something had to be made good, and is to be pushed */
  Mending(Session session, Runnable mended) {
    this.session = session;
    this.mended = mended;
  }

  /** Takes note that another tab has written something. */
  void heard() {
    session.local.heard();
    if (!planned && session.local.changedRecently()) {
      planned = true;
      session.timers.schedule(PAUSE, () -> session.safely(this::mend));
    }
  }

  private void mend() {
    planned = false;
    if (!over && session.local.mend()) {
      mended.run();
    }
  }

  /** Leaves everything as it is from now on. */
  void stop() {
    over = true;
  }
}
