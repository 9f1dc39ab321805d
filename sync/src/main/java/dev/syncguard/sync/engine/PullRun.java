package dev.syncguard.sync.engine;

import dev.syncguard.sync.SyncedField;
import dev.syncguard.sync.remote.FirestoreSyncBackend;
import dev.syncguard.sync.remote.RemoteDocument;
import dev.syncguard.sync.state.DeviceState;
import dev.syncguard.sync.state.SyncMeta;
import dev.syncguard.sync.state.SyncedFields;
import dev.syncguard.sync.state.Ticket;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One pull: read the remote, merge it into this device. */
final class PullRun {

  private final Session session;
  private final LocalMerge merge;
  private final Consumer<Boolean> done;
  private Ticket ticket;

  /** @param done told when it is over, and whether this device knows now what the remote knows */
  PullRun(Session session, Consumer<Boolean> done) {
    this.session = session;
    this.merge = new LocalMerge(session);
    this.done = done;
    this.ticket = session.ticket();
  }

  /** Pulls, in the background only if a cheap question says that something changed. */
  void start(boolean background) {
    if (background
        && session.settings.metadataProbe
        && session.remote() instanceof RemoteDocument.Found known) {
      session.backend.probe(session.node(), known.token(), session.guarded(this::probed));
    } else {
      read();
    }
  }

  private void probed(FirestoreSyncBackend.Probe probe) {
    if (probe.failure() != null) {
      session.failed(probe.failure(), false);
      done.accept(false);
    } else if (probe.unchanged()) {
      succeeded();
    } else {
      read();
    }
  }

  private void read() {
    session.backend.read(session.node(), session.guarded(this::got));
  }

  private void got(RemoteDocument document) {
    if (document instanceof RemoteDocument.Failed failed) {
      session.failed(failed.failure(), false);
      done.accept(false);
      return;
    }
    RemoteDocument.Known known = session.judged((RemoteDocument.Known) document);
    session.saw(known);
    if (known instanceof RemoteDocument.Unusable unusable) {
      session.worked(false);
      session.unusable(unusable);
      done.accept(false);
    } else if (known instanceof RemoteDocument.Found found) {
      if (found.dropped() > 0) {
        session.log.warn(
            found.dropped() + " entries of the remote state are malformed and left out");
      }
      if (merged(found.envelope().fields())) {
        session.nodeIsInUse();
        succeeded();
      }
    } else if (merged(null)) {
      lookAtTheOldNode();
    }
  }

  /** Merges and marks what the remote lacks; that would otherwise never travel. */
  private boolean merged(@Nullable SyncedFields remote) {
    SyncedFields merged = merge.take(ticket, remote, LocalMerge.ALL);
    if (merged == null) {
      // Another tab has reset, or switched accounts: what we hold is from before that.
      session.cameTooLate();
      done.accept(false);
      return false;
    }
    session.local.commit(session.ticket(), before -> {
      DeviceState state = before;
      for (SyncedField field : SyncedField.values()) {
        boolean lacking =
            remote == null ? !before.isEmpty(field) : !merged.sameContent(field, remote);
        if (lacking && !state.meta().field(field).dirty()) {
          state = state.changed(field, session.local.now());
        }
      }
      SyncMeta meta = state.meta();
      return remote == null
          ? state
          : state.with(meta.withDate(meta.loadFromVersion(), remote.loadFrom().value()));
    });
    return true;
  }

  private void lookAtTheOldNode() {
    String old = oldNode();
    if (old == null) {
      succeeded();
      return;
    }
    session.oldNodeProbed = true;
    Consumer<RemoteDocument> looked = document -> {
      if (document instanceof RemoteDocument.Found) {
        session.log.warn(
            "Remote state exists under an earlier secret of this user; it is not used");
        session.listener.notice(
            "Your sync secret has changed. This device's state was kept; what only other devices had is at the old place.");
      }
      succeeded();
    };
    session.backend.read(old, session.guarded(looked));
  }

  private @Nullable String oldNode() {
    String last = session.local.meta().lastSyncNode();
    return session.oldNodeProbed || session.node().equals(last) ? null : last;
  }

  private void succeeded() {
    session.worked(false);
    session.tempo.pulled();
    if (session.tabs != null) {
      session.tabs.pulledAt(session.clocks.wallMillis());
    }
    done.accept(true);
  }
}
