package dev.syncguard.sync.engine;

import dev.syncguard.sync.SyncedField;
import dev.syncguard.sync.remote.Envelope;
import dev.syncguard.sync.remote.EnvelopeDecoder;
import dev.syncguard.sync.remote.FirestoreSyncBackend;
import dev.syncguard.sync.remote.RemoteDocument;
import dev.syncguard.sync.remote.SyncFailure;
import dev.syncguard.sync.state.Decisions;
import dev.syncguard.sync.state.Epochs;
import dev.syncguard.sync.state.Limits;
import dev.syncguard.sync.state.SyncMeta;
import dev.syncguard.sync.state.SyncedFields;
import dev.syncguard.sync.state.Ticket;
import dev.syncguard.sync.text.Iso;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes a cleared envelope over whatever the remote holds, in epochs that supersede everything before it.
 *
 * <p>A new reset goes beyond both sides. It empties the device as soon as it knows its targets, before the remote is
 * written: whatever other tabs do from then on, they do after the reset. The replay of an unfinished one goes to the targets
 * that were stored with it, no further, so that it can be repeated without end. Epochs never go down, and a lost race is
 * answered by reading again.
 */
public final class ResetRun {

  private static final int RETRIES = 3;
  private static final long SKEW = 12 * 3_600_000L;

  /** What a reset writes: epochs, and the version of {@code loadFrom}. */
  public record Cleared(Epochs epochs, int version) {}

  /** How it ended. */
  sealed interface Result {}

  /**
   * The remote is cleared.
   *
   * @param ticket under which that is to be noted here
   * @param emptied what this device was right after it was emptied, or null if that was long ago
   */
  record Written(Cleared cleared, Ticket ticket, @Nullable SyncMeta emptied) implements Result {}

  /** The remote had been cleared by then, or another reset has taken this one's place. */
  record Stands(Ticket ticket) implements Result {}

  /** The remote document belongs to a newer version of this program, so it was left alone. */
  record Refused() implements Result {}

  /** The remote is not cleared, or nobody knows. */
  record Failed() implements Result {}

  private final Session session;
  private final boolean isNew;
  private final Consumer<Result> done;
  private Ticket ticket;
  private SyncMeta.@Nullable PendingReset pending;
  private @Nullable SyncMeta emptied;
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
    this.isNew = replay == null;
    this.pending = replay;
    this.done = done;
  }

  /** Returns whether this new reset has emptied the device, so that all it lacks is the remote. */
  boolean hasEmptied() {
    return emptied != null;
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
      done.accept(hasEmptied() ? new Failed() : new Refused());
      return;
    }
    SyncMeta meta = session.local.meta();
    Cleared remote = cleared(known, meta.epochs());
    SyncMeta.PendingReset begun = pending;
    if (begun == null) {
      empty(known, meta, remote);
      return;
    }
    // The epochs of a broken document prove nothing, and a reset is what is to repair it.
    boolean broken = known instanceof RemoteDocument.Unusable;
    if (!Decisions.sameReset(ticket.resetId(), true, meta)
        || (!broken && alreadyStands(begun, remote.epochs()))) {
      session.worked(false);
      done.accept(new Stands(ticket));
    } else if (isNew) {
      goBeyond(known, begun, remote);
    } else {
      write(known, repeated(begun, meta, remote));
    }
  }

  /** Empties this device in view of the remote. From here on the reset is like any other that has yet to arrive. */
  private void empty(RemoteDocument.Known known, SyncMeta meta, Cleared remote) {
    Cleared chosen = new Cleared(
        new Epochs(
            next(SyncedField.READ, meta, remote.epochs()),
            next(SyncedField.LOAD_FROM, meta, remote.epochs()),
            next(SyncedField.AUTHOR_PREFS, meta, remote.epochs())),
        Limits.next(Math.max(meta.loadFromVersion(), remote.version())));
    // Before other tabs hear of it: they would replay it at once.
    session.quota.beginPush();
    if (!Resets.empty(session.local, session.owner, chosen)) {
      done.accept(new Failed());
      return;
    }
    emptied = session.local.meta();
    pending = emptied.pendingReset();
    ticket = session.ticket();
    write(known, chosen);
  }

  // Also beyond the target of an unfinished reset: what was marked since then is in that epoch.
  private static int next(SyncedField field, SyncMeta meta, Epochs remote) {
    return Decisions.resetEpoch(meta.field(field).clearEpoch(), remote.of(field));
  }

  /** After a lost race the targets stay, unless the winner has got as far as they. */
  private void goBeyond(RemoteDocument.Known known, SyncMeta.PendingReset begun, Cleared remote) {
    Epochs targets = begun.targets();
    Cleared chosen = new Cleared(
        new Epochs(
            Math.max(targets.read(), Limits.next(remote.epochs().read())),
            Math.max(targets.loadFrom(), Limits.next(remote.epochs().loadFrom())),
            Math.max(targets.authorPrefs(), Limits.next(remote.epochs().authorPrefs()))),
        Math.max(session.local.meta().loadFromVersion(), Limits.next(remote.version())));
    if (!Resets.retarget(session.local, ticket, chosen)) {
      done.accept(new Stands(ticket));
      return;
    }
    pending = session.local.meta().pendingReset();
    ticket = session.ticket();
    write(known, chosen);
  }

  private boolean alreadyStands(SyncMeta.PendingReset begun, Epochs remote) {
    for (SyncedField field : SyncedField.values()) {
      if (!Decisions.resetStands(begun.sawRemote(), begun.target(field), remote.of(field))) {
        return false;
      }
    }
    return true;
  }

  private Cleared repeated(SyncMeta.PendingReset begun, SyncMeta meta, Cleared remote) {
    for (SyncedField field : SyncedField.values()) {
      if (remote.epochs().of(field) >= begun.target(field)) {
        session.log.info("The remote " + field.id() + " was already reset this far");
      }
    }
    Epochs targets = begun.targets();
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
        done.accept(new Written(cleared, ticket, emptied));
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
    done.accept(new Failed());
  }
}
