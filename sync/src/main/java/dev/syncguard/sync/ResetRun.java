package dev.syncguard.sync;

import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes a cleared envelope over whatever the remote holds, in epochs that put everything before it out.
 *
 * <p>A new reset goes beyond both sides. The replay of an unfinished one goes to the targets that were stored with it, no
 * further, so that it can be repeated without end. Epochs never go down, and a lost race is answered by reading again.
 */
final class ResetRun {

  private static final int RETRIES = 3;
  private static final long SKEW = 12 * 3_600_000L;

  /** The epochs of a reset; {@code version} is that of {@code loadFrom}. */
  record Epochs(int read, int loadFrom, int authorPrefs, int version) {

    int of(SyncedField field) {
      return switch (field) {
        case READ -> read;
        case LOAD_FROM -> loadFrom;
        case AUTHOR_PREFS -> authorPrefs;
      };
    }
  }

  /** How it ended. */
  sealed interface Result {}

  /** The remote is cleared, in these epochs. */
  record Written(Epochs epochs) implements Result {}

  /** The replay found that the remote had been cleared by then. */
  record Stands() implements Result {}

  /**
   * The remote is not cleared, or nobody knows.
   *
   * @param meant the epochs that should have been written, or null if the remote was never seen
   */
  record Failed(@Nullable Epochs meant) implements Result {}

  private final Session session;
  private final SyncMeta.@Nullable PendingReset replay;
  private final Consumer<Result> done;
  private @Nullable Epochs chosen;
  private int retries;
  private boolean reclocked;

  /** @param replay the unfinished reset to repeat, or null for a new one */
  ResetRun(Session session, SyncMeta.@Nullable PendingReset replay, Consumer<Result> done) {
    this.session = session;
    this.replay = replay;
    this.done = done;
  }

  void start() {
    session.backend.read(session.node(), session.guarded(document -> {
      if (document instanceof RemoteDocument.Failed failed) {
        fail(failed.failure(), false);
      } else {
        choose((RemoteDocument.Known) document);
      }
    }));
  }

  private void choose(RemoteDocument.Known known) {
    Epochs remote = epochs(known);
    SyncMeta meta = session.local.meta();
    // The epochs of a broken document prove nothing, and a reset is what is to repair it.
    boolean broken = known instanceof RemoteDocument.Unusable unusable && !unusable.newer();
    if (replay != null
        && (meta.pendingReset() == null || (!broken && alreadyStands(replay, remote)))) {
      session.worked();
      done.accept(new Stands());
      return;
    }
    chosen = replay == null ? fresh(meta, remote) : repeated(replay, meta, remote);
    write(known.token(), chosen);
  }

  private boolean alreadyStands(SyncMeta.PendingReset pending, Epochs remote) {
    for (SyncedField field : SyncedField.values()) {
      if (!Decisions.resetStands(pending.sawRemote(), pending.target(field), remote.of(field))) {
        return false;
      }
    }
    return true;
  }

  private Epochs fresh(SyncMeta meta, Epochs remote) {
    // After a lost race the targets stay, unless the winner has got as far as they.
    return new Epochs(
        next(SyncedField.READ, meta, remote),
        next(SyncedField.LOAD_FROM, meta, remote),
        next(SyncedField.AUTHOR_PREFS, meta, remote),
        Limits.next(Math.max(meta.loadFromVersion(), remote.version())));
  }

  private int next(SyncedField field, SyncMeta meta, Epochs remote) {
    SyncMeta.PendingReset unfinished = meta.pendingReset();
    int epoch = unfinished != null && remote.of(field) < unfinished.target(field)
        ? unfinished.target(field)
        : Decisions.resetEpoch(meta.field(field).clearEpoch(), remote.of(field));
    return chosen == null ? epoch : Math.max(epoch, chosen.of(field));
  }

  private Epochs repeated(SyncMeta.PendingReset pending, SyncMeta meta, Epochs remote) {
    for (SyncedField field : SyncedField.values()) {
      if (remote.of(field) >= pending.target(field)) {
        session.log.info("The remote " + field.id() + " is already as far as the pending reset");
      }
    }
    return new Epochs(
        Decisions.replayEpoch(pending.read(), remote.read()),
        Decisions.replayEpoch(pending.loadFrom(), remote.loadFrom()),
        Decisions.replayEpoch(pending.authorPrefs(), remote.authorPrefs()),
        Math.max(meta.loadFromVersion(), remote.version()));
  }

  private static Epochs epochs(RemoteDocument.Known known) {
    if (known instanceof RemoteDocument.Found found) {
      SyncedFields fields = found.envelope().fields();
      return new Epochs(
          fields.read().clearEpoch(),
          fields.loadFrom().clearEpoch(),
          fields.authorPrefs().clearEpoch(),
          fields.loadFrom().version());
    }
    if (known instanceof RemoteDocument.Unusable unusable) {
      Map<String, Object> fields = unusable.fields();
      return new Epochs(
          EnvelopeDecoder.salvageEpoch(fields, SyncedField.READ),
          EnvelopeDecoder.salvageEpoch(fields, SyncedField.LOAD_FROM),
          EnvelopeDecoder.salvageEpoch(fields, SyncedField.AUTHOR_PREFS),
          EnvelopeDecoder.salvageVersion(fields));
    }
    return new Epochs(0, 0, 0, 0);
  }

  private void write(@Nullable String token, Epochs epochs) {
    String now = Iso.text(session.clock.nowMillis());
    String writer = session.writerId;
    SyncedFields cleared = new SyncedFields(
        new SyncedFields.Read(now, writer, epochs.read(), Set.of()),
        new SyncedFields.LoadFrom(now, writer, epochs.version(), epochs.loadFrom(), ""),
        new SyncedFields.AuthorPrefs(now, writer, epochs.authorPrefs(), Map.of()));
    Envelope envelope = Envelopes.stamp(session, cleared);
    long writtenAt = session.clock.nowMillis();
    Consumer<FirestoreSyncBackend.Commit> over = commit -> {
      if (commit instanceof FirestoreSyncBackend.Stored stored) {
        session.remote = new RemoteDocument.Found(envelope, stored.token(), 0);
        session.lastPushedAt = stored.token();
        session.worked();
        session.quota.countPush();
        done.accept(new Written(epochs));
      } else {
        notStored(((FirestoreSyncBackend.NotStored) commit).failure(), token, epochs, writtenAt);
      }
    };
    session.backend.commit(session.node(), envelope, token, session.guarded(over));
  }

  private void notStored(
      SyncFailure failure, @Nullable String token, Epochs epochs, long writtenAt) {
    boolean wrongClock = Math.abs(session.clock.nowMillis() - writtenAt) > SKEW;
    if (failure == SyncFailure.CONFLICT && retries < RETRIES) {
      retries++;
      session.later(100 + session.random.below(301), this::start);
    } else if (failure == SyncFailure.DENIED && wrongClock && !reclocked) {
      reclocked = true;
      write(token, epochs);
    } else {
      fail(failure, true);
    }
  }

  private void fail(SyncFailure failure, boolean write) {
    session.failed(failure, write);
    done.accept(new Failed(chosen));
  }
}
