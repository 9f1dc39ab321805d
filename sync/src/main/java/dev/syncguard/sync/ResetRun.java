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

  /** What a reset writes: epochs, and the version of {@code loadFrom}. */
  record Cleared(Epochs epochs, int version) {}

  /** How it ended. */
  sealed interface Result {}

  /** The remote is cleared. */
  record Written(Cleared cleared) implements Result {}

  /** The replay found that the remote had been cleared by then, or that another reset has taken its place. */
  record Stands() implements Result {}

  /** The remote document belongs to a newer version of this program, so it was left alone. */
  record Refused() implements Result {}

  /**
   * The remote is not cleared, or nobody knows.
   *
   * @param meant what should have been written, or null if the remote was never seen
   */
  record Failed(@Nullable Cleared meant) implements Result {}

  private final Session session;
  private final Ticket ticket;
  private final SyncMeta.@Nullable PendingReset replay;
  private final Consumer<Result> done;
  private @Nullable Cleared chosen;
  private int retries;
  private boolean reclocked;

  /**
   * @param ticket under which the reset begins
   * @param replay the unfinished reset to repeat, or null for a new one
   */
  ResetRun(
      Session session,
      Ticket ticket,
      SyncMeta.@Nullable PendingReset replay,
      Consumer<Result> done) {
    this.session = session;
    this.ticket = ticket;
    this.replay = replay;
    this.done = done;
  }

  void start() {
    session.backend.read(session.node(), session.guarded(document -> {
      if (document instanceof RemoteDocument.Failed failed) {
        fail(failed.failure(), false);
      } else {
        choose(session.judged((RemoteDocument.Known) document));
      }
    }));
  }

  private void choose(RemoteDocument.Known known) {
    if (known instanceof RemoteDocument.Unusable unusable && unusable.newer()) {
      session.worked(false);
      session.unusable(unusable);
      done.accept(new Refused());
      return;
    }
    SyncMeta meta = session.local.meta();
    Cleared remote = cleared(known, meta.epochs());
    // The epochs of a broken document prove nothing, and a reset is what is to repair it.
    boolean broken = known instanceof RemoteDocument.Unusable;
    if (replay != null
        && (!Decisions.sameReset(ticket.resetId(), true, meta)
            || (!broken && alreadyStands(replay, remote.epochs())))) {
      session.worked(false);
      done.accept(new Stands());
      return;
    }
    chosen = replay == null ? fresh(meta, remote) : repeated(replay, meta, remote);
    write(known, chosen);
  }

  private boolean alreadyStands(SyncMeta.PendingReset pending, Epochs remote) {
    for (SyncedField field : SyncedField.values()) {
      if (!Decisions.resetStands(pending.sawRemote(), pending.target(field), remote.of(field))) {
        return false;
      }
    }
    return true;
  }

  private Cleared fresh(SyncMeta meta, Cleared remote) {
    // After a lost race the targets stay, unless the winner has got as far as they.
    return new Cleared(
        new Epochs(
            next(SyncedField.READ, meta, remote.epochs()),
            next(SyncedField.LOAD_FROM, meta, remote.epochs()),
            next(SyncedField.AUTHOR_PREFS, meta, remote.epochs())),
        Limits.next(Math.max(meta.loadFromVersion(), remote.version())));
  }

  private int next(SyncedField field, SyncMeta meta, Epochs remote) {
    // Also beyond the target of an unfinished reset: what was marked since then is in that epoch,
    // and another tab may
    // push it before this one has emptied the device.
    int epoch = Decisions.resetEpoch(meta.field(field).clearEpoch(), remote.of(field));
    return chosen == null ? epoch : Math.max(epoch, chosen.epochs().of(field));
  }

  private Cleared repeated(SyncMeta.PendingReset pending, SyncMeta meta, Cleared remote) {
    for (SyncedField field : SyncedField.values()) {
      if (remote.epochs().of(field) >= pending.target(field)) {
        session.log.info("The remote " + field.id() + " is already as far as that");
      }
    }
    Epochs targets = pending.targets();
    return new Cleared(
        new Epochs(
            Decisions.replayEpoch(targets.read(), remote.epochs().read()),
            Decisions.replayEpoch(targets.loadFrom(), remote.epochs().loadFrom()),
            Decisions.replayEpoch(targets.authorPrefs(), remote.epochs().authorPrefs())),
        Math.max(meta.loadFromVersion(), remote.version()));
  }

  private static Cleared cleared(RemoteDocument.Known known, Epochs here) {
    if (known instanceof RemoteDocument.Found found) {
      SyncedFields fields = found.envelope().fields();
      return new Cleared(fields.epochs(), fields.loadFrom().version());
    }
    if (known instanceof RemoteDocument.Unusable unusable) {
      Map<String, Object> fields = unusable.fields();
      return new Cleared(
          new Epochs(
              salvaged(fields, SyncedField.READ, here),
              salvaged(fields, SyncedField.LOAD_FROM, here),
              salvaged(fields, SyncedField.AUTHOR_PREFS, here)),
          EnvelopeDecoder.salvageVersion(fields));
    }
    return new Cleared(Epochs.NONE, 0);
  }

  private static int salvaged(Map<String, Object> fields, SyncedField field, Epochs here) {
    int epoch = EnvelopeDecoder.salvageEpoch(fields, field);
    return Decisions.isPlausible(here.of(field), epoch) ? epoch : 0;
  }

  private void write(RemoteDocument.Known base, Cleared cleared) {
    String now = Iso.text(session.clock.nowMillis());
    String writer = session.writerId;
    Epochs epochs = cleared.epochs();
    SyncedFields fields = new SyncedFields(
        new SyncedFields.Read(now, writer, epochs.read(), Set.of()),
        new SyncedFields.LoadFrom(now, writer, cleared.version(), epochs.loadFrom(), ""),
        new SyncedFields.AuthorPrefs(now, writer, epochs.authorPrefs(), Map.of()));
    Envelope envelope = Envelopes.stamp(session, fields);
    long writtenAt = session.clock.nowMillis();
    Consumer<FirestoreSyncBackend.Commit> over = commit -> {
      if (commit instanceof FirestoreSyncBackend.Stored stored) {
        session.saw(new RemoteDocument.Found(envelope, stored.token(), 0));
        session.lastPushedAt = stored.token();
        session.worked(true);
        session.quota.countPush(false);
        done.accept(new Written(cleared));
      } else {
        notStored(((FirestoreSyncBackend.NotStored) commit).failure(), base, writtenAt);
      }
    };
    session.backend.commit(session.node(), envelope, base, session.guarded(over));
  }

  private void notStored(SyncFailure failure, RemoteDocument.Known base, long writtenAt) {
    boolean partial = base instanceof RemoteDocument.Found;
    boolean wrongClock = Math.abs(session.clock.nowMillis() - writtenAt) > SKEW;
    if (failure == SyncFailure.CONFLICT && retries < RETRIES) {
      retries++;
      session.later(100 + session.random.below(301), this::start);
    } else if (failure == SyncFailure.DENIED && (wrongClock || partial) && !reclocked) {
      reclocked = true;
      start();
    } else {
      fail(failure, true);
    }
  }

  private void fail(SyncFailure failure, boolean write) {
    session.failed(failure, write);
    done.accept(new Failed(chosen));
  }
}
