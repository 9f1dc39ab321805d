package dev.syncguard.sync;

import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

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
  private int retries;
  private boolean tooLarge;
  private boolean shrunk;
  private boolean reclocked;

  PushRun(Session session, Set<SyncedField> scope, Consumer<End> done) {
    this.session = session;
    this.merge = new LocalMerge(session);
    this.scope = scope;
    this.done = done;
  }

  void start() {
    RemoteDocument.Known known = session.remote;
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
        done.accept(End.FAILED);
      } else {
        session.remote = (RemoteDocument.Known) document;
        attempt(session.remote);
      }
    }));
  }

  private void attempt(RemoteDocument.Known known) {
    if (known instanceof RemoteDocument.Unusable unusable) {
      session.unusable(unusable);
      done.accept(End.FAILED);
      return;
    }
    if (!session.mayMerge()) {
      done.accept(End.FAILED);
      return;
    }
    SyncedFields remote =
        known instanceof RemoteDocument.Found found ? found.envelope().fields() : null;
    SyncedFields merged = merge.take(remote, scope);
    if (remote != null && merged.sameContent(remote)) {
      // What is here now is what is there.
      session.local.confirm(session.local.meta(), merged, scope);
      session.nodeIsInUse();
      session.worked();
      done.accept(End.NOTHING_NEW);
      return;
    }
    write(merged, known.token());
  }

  private void write(SyncedFields fields, @Nullable String token) {
    Envelope envelope = Envelopes.stamp(session, fields);
    tooLarge |= EnvelopeSize.of(envelope, SyncNode.path(session.config.site, session.node()))
        > Limits.LARGEST_DOCUMENT;
    if (tooLarge && !shrunk) {
      shrunk = true;
      write(merge.clearRead(fields), token);
      return;
    }
    SyncMeta captured = session.local.meta();
    long writtenAt = session.clock.nowMillis();
    Consumer<FirestoreSyncBackend.Commit> over = commit -> {
      if (commit instanceof FirestoreSyncBackend.Stored stored) {
        stored(envelope, stored.token(), captured);
      } else {
        notStored(((FirestoreSyncBackend.NotStored) commit).failure(), writtenAt);
      }
    };
    try {
      session.backend.commit(session.node(), envelope, token, session.guarded(over));
    } catch (IllegalArgumentException outOfBounds) {
      session.failed(SyncFailure.CLIENT_ERROR, true);
      done.accept(End.FAILED);
    }
  }

  private void stored(Envelope envelope, String token, SyncMeta captured) {
    session.remote = new RemoteDocument.Found(envelope, token, 0);
    if (session.localIsOurs()) {
      session.local.confirm(captured, envelope.fields(), scope);
      session.nodeIsInUse();
    }
    session.lastPushedAt = token;
    session.readRefused = false;
    if (session.tabs != null) {
      session.tabs.pushedAt(session.time.wallMillis());
    }
    session.worked();
    session.quota.countPush();
    done.accept(End.PUSHED);
  }

  private void notStored(SyncFailure failure, long writtenAt) {
    // Whatever went wrong, only a new read can tell what is there now. And the reader may have gone
    // on meanwhile: what is sent again must be merged again, or it would confirm what it lacks.
    session.remote = null;
    boolean wrongClock = Math.abs(session.clock.nowMillis() - writtenAt) > SKEW;
    if (failure == SyncFailure.CONFLICT && retries < RETRIES) {
      retries++;
      session.later(100 + session.random.below(301), this::start);
    } else if (failure == SyncFailure.TOO_LARGE && !shrunk) {
      tooLarge = true;
      start();
    } else if (failure == SyncFailure.DENIED && wrongClock && !reclocked) {
      // Our clock was the reason, and the refusal has told us the right time.
      reclocked = true;
      start();
    } else {
      session.readRefused |= failure == SyncFailure.TOO_LARGE;
      session.failed(failure, true);
      done.accept(End.FAILED);
    }
  }
}
