package dev.syncguard.torture.history;

import dev.syncguard.torture.history.Event.Abandoned;
import dev.syncguard.torture.history.Event.Ending;
import dev.syncguard.torture.history.Event.Granted;
import dev.syncguard.torture.history.Event.Promised;
import dev.syncguard.torture.history.Event.Released;
import dev.syncguard.torture.history.Event.Releasing;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** All that is known about one lease. Filled by one thread, then only read. */
public final class Tenure {

  /** The end of a lease of which nobody knows how it ended. */
  public static final long UNKNOWN = Long.MAX_VALUE;

  private final Granted grant;
  private final List<Promised> promises = new ArrayList<>();
  private long releasingAt = UNKNOWN;
  private @Nullable Released release;
  private @Nullable Abandoned abandonment;
  private long killedAt = UNKNOWN;

  Tenure(Granted grant) {
    this.grant = grant;
  }

  void add(Event event) {
    if (event instanceof Promised promised) {
      promises.add(promised);
    } else if (event instanceof Releasing releasing) {
      releasingAt = releasing.at();
    } else if (event instanceof Released released) {
      release = released;
    } else if (event instanceof Abandoned abandoned) {
      abandonment = abandoned;
    }
  }

  void killed(long at) {
    killedAt = Math.min(killedAt, at);
  }

  /** Returns the grant with which it began. */
  public Granted grant() {
    return grant;
  }

  /** Returns the fence of its grant. */
  public long fence() {
    return grant.fence();
  }

  List<Promised> promises() {
    return promises;
  }

  /** Returns when others may have got the key by way of a release. */
  long releasingAt() {
    return releasingAt;
  }

  Optional<Released> release() {
    return Optional.ofNullable(release);
  }

  /** Returns until when the holder relied on the lease, as far as it told. */
  public long reliedUntil() {
    return Math.min(releasingAt, promisedUntil());
  }

  long promisedUntil() {
    return promises.stream().mapToLong(Promised::until).max().orElse(grant.at());
  }

  /** Returns until when the holder was at work, for a picture. */
  public long shownUntil() {
    long last = promises.stream().mapToLong(Promised::at).max().orElse(grant.at());
    return releasingAt != UNKNOWN
        ? releasingAt
        : abandonment != null ? abandonment.at() : Math.max(last, grant.at());
  }

  /** Returns when the lease is over at the store at the latest, or {@link #UNKNOWN}. */
  long overBy(Bounds bounds) {
    long byRelease = release != null && release.ending() != Ending.UNKNOWN ? release.at() : UNKNOWN;
    long byExpiry = abandonment != null
        ? bounds.endAfter(abandonment.at())
        : killedAt != UNKNOWN
            ? bounds.endAfter(killedAt)
            // A release without an answer stops the renewal, too.
            : release != null ? bounds.endAfter(release.at()) : UNKNOWN;
    return Math.min(byRelease, byExpiry);
  }

  boolean wasReleased() {
    return release != null && release.ending() == Ending.ENDED;
  }

  /** Returns whether this lease came after the other one at the store. */
  boolean isAfter(Tenure other) {
    if (grant.sent() > other.grant.at()) {
      return true;
    }
    return fence() == other.fence() ? grant.at() >= other.grant.at() : fence() > other.fence();
  }

  String name() {
    return "worker " + grant.worker() + " with fence " + fence();
  }
}
