package dev.syncguard.sync.engine;

import dev.syncguard.sync.SyncStatus;
import dev.syncguard.sync.remote.Quota;
import dev.syncguard.sync.remote.SyncFailure;
import dev.syncguard.sync.state.SyncMeta;
import dev.syncguard.sync.text.Iso;
import org.jspecify.annotations.Nullable;

/** Puts into words how sync is doing: of all that holds at once, what a reader should know first. */
final class StatusBoard {

  private static final long MINUTE = 60_000;
  private static final long LONG_PENDING = 24 * 60 * MINUTE;

  private final Session session;
  private SyncStatus.@Nullable Kind announced;

  StatusBoard(Session session) {
    this.session = session;
  }

  /** Tells the listener if the situation is another one than last time. */
  void announce(SyncStatus status) {
    if (status.kind() != announced) {
      announced = status.kind();
      session.listener.statusChanged(status);
    }
  }

  /** Returns the status of a session that is just starting, or is doing something, or neither. */
  SyncStatus status(boolean starting, boolean busy) {
    if (!session.local.enabled()) {
      return of(SyncStatus.Kind.OFF, "Sync: off");
    }
    if (failed(SyncFailure.REFUSED) && !session.everReached) {
      return of(SyncStatus.Kind.BLOCKED, "Sync blocked by userscript permissions/connectivity");
    }
    if (session.mode == Session.Mode.IDENTITY_DENIED) {
      return of(SyncStatus.Kind.IDENTITY_DENIED, "Sync: unavailable (identity permission)");
    }
    if (session.node == null && session.mode != Session.Mode.STARTING && resetPendsForLong()) {
      return of(
          SyncStatus.Kind.RESET_PENDING,
          "Sync reset pending: sign in again / check identity permissions");
    }
    return switch (session.mode) {
      case OTHER_USER ->
        of(SyncStatus.Kind.OTHER_USER, "Sync: off (somebody else is logged in; reload)");
      case ANONYMOUS -> of(SyncStatus.Kind.ANONYMOUS, "Sync: anonymous");
      case UNAVAILABLE -> of(SyncStatus.Kind.UNAVAILABLE, "Sync: unavailable");
      case REMOTE_INVALID ->
        of(SyncStatus.Kind.REMOTE_INVALID, "Sync: remote-invalid (push paused; reset recommended)");
      case CLIENT_ERROR -> of(SyncStatus.Kind.CLIENT_ERROR, "Sync: disabled (client error)");
      case READ_ONLY ->
        new SyncStatus(
            SyncStatus.Kind.READ_ONLY, "Sync: read-only (newer data version)", "Update it here.");
      case PUSH_DISABLED -> of(SyncStatus.Kind.PUSH_DISABLED, "Sync: push-disabled (permission)");
      default -> working(starting, busy);
    };
  }

  private SyncStatus working(boolean starting, boolean busy) {
    if (session.quota.limited()) {
      String text = "Sync: quota-limited (retry in " + minutes(session.quota.waitMillis()) + "m)";
      return of(SyncStatus.Kind.QUOTA_LIMITED, text);
    }
    Quota.Budget budget = session.quota.budget();
    if (budget != Quota.Budget.PLENTY) {
      String hint = budget == Quota.Budget.SPENT
          ? "Retry in " + minutes(session.quota.untilTomorrowMillis()) + "m"
          : "At most one push in 10m until tomorrow (UTC)";
      return new SyncStatus(
          SyncStatus.Kind.BUDGET_LIMITED, "Sync: rate-limited (local budget)", hint);
    }
    if (failed(SyncFailure.NO_DATABASE)) {
      return new SyncStatus(
          SyncStatus.Kind.NO_DATABASE,
          "Sync: not set up (the project has no Firestore database)",
          "Its database (default) must be created.");
    }
    if (failed(SyncFailure.TOO_LARGE)) {
      return new SyncStatus(
          SyncStatus.Kind.TOO_LARGE,
          "Sync: refused as too large (retrying...)",
          "Nothing is deleted.");
    }
    if (failed(SyncFailure.NETWORK) || failed(SyncFailure.REFUSED)) {
      return of(SyncStatus.Kind.OFFLINE, "Sync: offline (retrying...)");
    }
    if (failed(SyncFailure.CONFLICT)) {
      return of(SyncStatus.Kind.BUSY, "Sync: busy (retrying...)");
    }
    if (starting) {
      return of(SyncStatus.Kind.STARTING, "Syncing...");
    }
    if (busy || session.lastSuccess < 0 || session.local.meta().pendingReset() != null) {
      return of(SyncStatus.Kind.SYNCING, "Sync: syncing...");
    }
    if (session.shrunk) {
      return new SyncStatus(
          SyncStatus.Kind.MARKS_CLEARED,
          "Sync: OK, but read marks were cleared (document full, backup kept)",
          "");
    }
    String hint = session.settings.writesEnabled ? "" : "Writing is switched off";
    return new SyncStatus(SyncStatus.Kind.OK, "Sync: OK (" + age() + " ago)", hint);
  }

  private boolean failed(SyncFailure failure) {
    return session.readFailure == failure || session.writeFailure == failure;
  }

  private boolean resetPendsForLong() {
    SyncMeta.PendingReset reset = session.local.meta().pendingReset();
    long since = reset == null ? Iso.NONE : Iso.millis(reset.at());
    return since != Iso.NONE && session.clocks.wallMillis() - since >= LONG_PENDING;
  }

  private String age() {
    long age = session.tempo.now() - session.lastSuccess;
    if (age < MINUTE) {
      return age / 1000 + "s";
    }
    return age < 60 * MINUTE ? age / MINUTE + "m" : age / (60 * MINUTE) + "h";
  }

  private static long minutes(long millis) {
    return Math.max(1, (millis + MINUTE - 1) / MINUTE);
  }

  private static SyncStatus of(SyncStatus.Kind kind, String text) {
    return new SyncStatus(kind, text, "");
  }
}
