package dev.syncguard.sync.engine;

import dev.syncguard.sync.SyncedField;
import dev.syncguard.sync.remote.Envelope;
import dev.syncguard.sync.remote.EnvelopeSize;
import dev.syncguard.sync.remote.FirestoreSyncBackend;
import dev.syncguard.sync.remote.RemoteDocument;
import dev.syncguard.sync.remote.SyncFailure;
import dev.syncguard.sync.state.Limits;
import dev.syncguard.sync.state.SyncMeta;
import dev.syncguard.sync.state.SyncNode;
import dev.syncguard.sync.state.SyncedFields;
import dev.syncguard.sync.state.Ticket;
import java.util.Set;
import java.util.function.Consumer;

/**
 * One push: merge onto the remote as last seen, write against exactly that version, and after a lost race read, merge and
 * try again, a few times.
 *
 * <p>A field counts as pushed only when a write is confirmed that carried its last change, or when the remote turns out to
 * say all of it already, which is also how a write is recognised whose answer was lost.
 */
final class PushRun {

  /** How a push ended. */
  enum End {
    PUSHED,
    NOTHING_NEW,
    FAILED
  }

  private static final int RETRIES = 3;
  private static final long SKEW = 12 * 3_600_000L;

  private final Session session;
  private final LocalMerge merge;
  private final Set<SyncedField> scope;
  private final Consumer<End> done;
  private Ticket ticket;
  private int retries;
  private boolean reclocked;

  /** Whether the server has answered in this push; without that, nothing is known for sure. */
  private boolean asked;

  PushRun(Session session, Set<SyncedField> scope, Consumer<End> done) {
    this.session = session;
    this.merge = new LocalMerge(session);
    this.scope = scope;
    this.done = done;
    this.ticket = session.ticket();
  }

  void start() {
    RemoteDocument.Known known = session.remote();
    if (known == null) {
      read();
    } else {
      attempt(known);
    }
  }

  private void read() {
    session.backend.read(session.node(), session.guarded(document -> {
      if (document instanceof RemoteDocument.Failed failed) {
        session.failed(failed.failure(), false);
        if (retries > 0 || reclocked) {
          // What was refused was never written: neither a pull that works nor the end of a cooldown
          // may
          // hide that.
          session.writeFailure = SyncFailure.CONFLICT;
        }
        done.accept(End.FAILED);
      } else {
        RemoteDocument.Known known = session.judged((RemoteDocument.Known) document);
        session.saw(known);
        asked = true;
        attempt(known);
      }
    }));
  }

  private void attempt(RemoteDocument.Known known) {
    if (known instanceof RemoteDocument.Unusable unusable) {
      session.unusable(unusable);
      done.accept(End.FAILED);
      return;
    }
    SyncedFields remote =
        known instanceof RemoteDocument.Found found ? found.envelope().fields() : null;
    SyncedFields merged = merge.take(ticket, remote, scope);
    if (merged == null) {
      tooLate();
      return;
    }
    ticket = session.ticket();
    if (remote != null && merged.sameContent(remote)) {
      if (!asked) {
        // So it was when this tab last looked; somebody may have changed it since.
        read();
        return;
      }
      // What is here now is what is there.
      session.local.commit(ticket, state -> state.confirmed(state.meta(), merged, scope));
      session.nodeIsInUse();
      if (session.local.meta().dirty()) {
        // A field is held back; that nothing else is new says nothing about a write of that one
        // which failed.
        session.worked(false);
      } else {
        session.needsNoWrite();
      }
      done.accept(End.NOTHING_NEW);
      return;
    }
    write(merged, known);
  }

  private void tooLate() {
    session.cameTooLate();
    done.accept(End.FAILED);
  }

  private void write(SyncedFields fields, RemoteDocument.Known base) {
    Envelope envelope = Envelopes.stamp(session, fields);
    boolean tooLarge =
        EnvelopeSize.of(envelope, SyncNode.path(session.settings.site, session.node()))
            > Limits.LARGEST_DOCUMENT;
    if (tooLarge && !fields.read().value().isEmpty()) {
      SyncedFields smaller = merge.clearRead(ticket, fields);
      if (smaller == null) {
        tooLate();
        return;
      }
      ticket = session.ticket();
      write(smaller, base);
      return;
    }
    SyncMeta captured = session.local.meta();
    long writtenAt = session.clock.nowMillis();
    int hurries = session.hurries;
    Consumer<FirestoreSyncBackend.Commit> over = commit -> {
      if (commit instanceof FirestoreSyncBackend.Stored stored) {
        session.hurriesServed = hurries;
        stored(envelope, stored.token(), captured);
      } else {
        notStored(
            ((FirestoreSyncBackend.NotStored) commit).failure(),
            writtenAt,
            base instanceof RemoteDocument.Found);
      }
    };
    try {
      session.backend.commit(session.node(), envelope, base, session.guarded(over));
    } catch (IllegalArgumentException outOfBounds) {
      session.failed(SyncFailure.CLIENT_ERROR, true);
      done.accept(End.FAILED);
    }
  }

  private void stored(Envelope envelope, String token, SyncMeta captured) {
    session.saw(new RemoteDocument.Found(envelope, token, 0));
    session.local.commit(ticket, state -> state.confirmed(captured, envelope.fields(), scope));
    session.nodeIsInUse();
    session.lastPushedAt = token;
    if (session.tabs != null) {
      session.tabs.pushedAt(session.clocks.wallMillis());
    }
    session.worked(true);
    done.accept(End.PUSHED);
  }

  private void notStored(SyncFailure failure, long writtenAt, boolean partial) {
    // Whatever went wrong, only a new read can tell what is there now. And the reader may have gone
    // on meanwhile: what is sent again must be merged again, or it would confirm what it lacks.
    session.saw(null);
    boolean wrongClock = Math.abs(session.clock.nowMillis() - writtenAt) > SKEW;
    if (failure == SyncFailure.CONFLICT && retries < RETRIES) {
      retries++;
      session.later(100 + session.random.below(301), this::start);
    } else if (failure == SyncFailure.DENIED && (wrongClock || partial) && !reclocked) {
      // Our clock may have been the reason, and the refusal has told us the right time. Or the
      // document is gone: a part of one looks to the rules like a bad one.
      reclocked = true;
      start();
    } else {
      session.failed(failure, true);
      done.accept(End.FAILED);
    }
  }
}
