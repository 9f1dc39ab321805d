package dev.syncguard.sync;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A reset that somebody asked for: clear the remote if it can be reached, clear this device in any case but one, and
 * remember what is left to do. A remote document of a newer version is nobody's to clear, so then nothing is.
 */
final class ResetFlow {

  private final Session session;
  private final Identification identification;
  private final Consumer<ResetOutcome> done;
  private final Ticket ticket;
  private boolean over;

  ResetFlow(Session session, Identification identification, Consumer<ResetOutcome> done) {
    this.session = session;
    this.identification = identification;
    this.done = done;
    this.ticket = session.ticket();
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
        && session.config.project != null
        && session.config.writesEnabled
        && session.quota.waitMillis() == 0;
    if (possible) {
      new ResetRun(session, ticket, null, this::reached).start();
    } else if (result instanceof Identification.Nobody nobody
        && nobody.because() == Session.Mode.ANONYMOUS
        && session.local.meta().lastUserId() == null) {
      // Never anybody's state, so there is no remote to clear.
      Resets.forget(session.local, session.owner);
      end(ResetOutcome.EVERYWHERE);
    } else {
      postpone(null);
    }
  }

  private void reached(ResetRun.Result result) {
    if (result instanceof ResetRun.Written written) {
      Ticket ours = new Ticket(
          ticket.site(), session.owner, ticket.resetId(), ticket.resetPending(), ticket.epochs());
      Resets.finish(session.local, ours, written.cleared(), session.node());
      end(ResetOutcome.EVERYWHERE);
    } else if (result instanceof ResetRun.Refused) {
      session.listener.notice(
          "Nothing was reset: a newer version wrote your state. Update this device first.");
      over = true;
      done.accept(ResetOutcome.REFUSED);
    } else {
      postpone(result instanceof ResetRun.Failed failed ? failed.meant() : null);
    }
  }

  /** Clears this device and leaves the remote for later, because something went wrong. */
  void postpone(ResetRun.@Nullable Cleared targets) {
    if (!over) {
      Resets.postpone(session.local, session.owner, targets);
      session.log.info("The reset has not reached the remote yet; it comes first");
      end(ResetOutcome.PENDING);
    }
  }

  private void end(ResetOutcome outcome) {
    over = true;
    session.listener.applied(LocalMerge.ALL);
    done.accept(outcome);
  }
}
