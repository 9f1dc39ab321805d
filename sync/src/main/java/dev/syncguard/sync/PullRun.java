package dev.syncguard.sync;

import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** One pull: read the remote, merge it into this device. */
final class PullRun {

  private final Session session;
  private final LocalMerge merge;
  private final Consumer<Boolean> done;

  /** @param done told when it is over, and whether this device knows now what the remote knows */
  PullRun(Session session, Consumer<Boolean> done) {
    this.session = session;
    this.merge = new LocalMerge(session);
    this.done = done;
  }

  /** Pulls, in the background only if a cheap question says that something changed. */
  void start(boolean background) {
    if (background
        && session.config.metadataProbe
        && session.remote instanceof RemoteDocument.Found known) {
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
    session.remote = (RemoteDocument.Known) document;
    if (document instanceof RemoteDocument.Unusable unusable) {
      session.worked();
      session.unusable(unusable);
      done.accept(false);
    } else if (!session.mayMerge()) {
      // Another tab has reset, or switched accounts: what we hold is from before that.
      done.accept(false);
    } else if (document instanceof RemoteDocument.Found found) {
      merge(found);
      session.nodeIsInUse();
      succeeded();
    } else {
      missing();
    }
  }

  private void merge(RemoteDocument.Found found) {
    if (found.dropped() > 0) {
      session.log.warn(found.dropped() + " entries of the remote state are malformed and left out");
    }
    SyncedFields remote = found.envelope().fields();
    SyncedFields merged = merge.take(remote, LocalMerge.ALL);
    session.local.updateMeta(meta ->
        meta.withLoadFromVersion(meta.loadFromVersion(), remote.loadFrom().value()));
    markWhatTheRemoteLacks(field -> !merged.sameContent(field, remote));
  }

  private void missing() {
    merge.take(null, LocalMerge.ALL);
    markWhatTheRemoteLacks(field -> !session.local.isEmpty(field));
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

  // State that is here, but neither there nor marked, would otherwise never travel.
  private void markWhatTheRemoteLacks(Predicate<SyncedField> lacks) {
    for (SyncedField field : SyncedField.values()) {
      if (lacks.test(field) && !session.local.meta().field(field).dirty()) {
        session.local.markChanged(field);
      }
    }
  }

  private void succeeded() {
    session.worked();
    session.tempo.pulled();
    if (session.tabs != null) {
      session.tabs.pulledAt(session.time.wallMillis());
    }
    done.accept(true);
  }
}
