package dev.syncguard.sync.engine;

import dev.syncguard.sync.ResetOutcome;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A reset that somebody asked for: look at the remote if it can be reached, clear this device in any case but one, then
 * clear the remote or remember that it is due. A remote document of a newer version is nobody's to clear, so then nothing is.
 */
final class ResetFlow {

  private final Session session;
  private final Identification identification;
  private final Consumer<ResetOutcome> done;
  private @Nullable ResetRun run;
  private boolean over;

  ResetFlow(Session session, Identification identification, Consumer<ResetOutcome> done) {
    this.session = session;
    this.identification = identification;
    this.done = done;
  }

  void start() {
    // No secret is made for this: a user without one has nothing remote to clear.
    identification.find(null, false, this::identified);
  }

  private void identified(Identification.Result result) {
    String node = null;
    if (result instanceof Identification.Reader reader) {
      node = reader.node();
      session.identify(reader.userId(), node);
    }
    boolean possible = node != null
        && session.settings.project != null
        && session.settings.writesEnabled
        && session.quota.waitMillis() == 0;
    if (possible) {
      run = new ResetRun(session, session.ticket(), null, this::reached);
      run.start();
    } else if (result instanceof Identification.Nobody nobody
        && nobody.because() == Session.Mode.ANONYMOUS
        && session.local.meta().lastUserId() == null) {
      // Never anybody's state, so there is no remote to clear.
      Resets.forget(session.local, session.owner);
      end(ResetOutcome.EVERYWHERE);
    } else {
      postpone();
    }
  }

  private void reached(ResetRun.Result result) {
    if (result instanceof ResetRun.Written written) {
      Resets.written(session.local, written.ticket(), written.cleared(), written.emptied());
      session.nodeIsInUse();
      end(ResetOutcome.EVERYWHERE);
    } else if (result instanceof ResetRun.Stands stands) {
      Resets.stands(session.local, stands.ticket());
      end(ResetOutcome.EVERYWHERE);
    } else if (result instanceof ResetRun.Refused) {
      session.listener.notice(
          "Nothing was reset: a newer version wrote your state. Update this device first.");
      over = true;
      done.accept(ResetOutcome.REFUSED);
    } else {
      postpone();
    }
  }

  /** Clears this device, unless that is done, and leaves the remote for later, because something went wrong. */
  void postpone() {
    if (!over) {
      if (run == null || !run.hasEmptied()) {
        Resets.empty(session.local, session.owner, null);
      }
      session.log.info("The reset has not reached the remote yet; it comes first");
      end(ResetOutcome.PENDING);
    }
  }

  private void end(ResetOutcome outcome) {
    over = true;
    if (run != null) {
      session.quota.endPush();
    }
    session.listener.applied(LocalMerge.ALL);
    done.accept(outcome);
  }
}
