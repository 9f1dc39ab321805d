package dev.syncguard.firestore.server.listen;

import dev.syncguard.firestore.server.auth.AuthContext;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** All who listen now, for what concerns them beside the commits. Threads may share it. */
public final class Listeners {
  private final Set<ListenStream> streams = ConcurrentHashMap.newKeySet();
  private final InstantSource time;

  public Listeners(InstantSource time) {
    this.time = time;
  }

  void add(ListenStream stream) {
    streams.add(stream);
  }

  void remove(ListenStream stream) {
    streams.remove(stream);
  }

  /**
   * Returns until when somebody may listen. A token that is over from the start is one that was made for tests, and like
   * everywhere here nobody asks for its time.
   */
  Optional<Instant> validity(AuthContext who) {
    return who instanceof AuthContext.User user
        ? user.expiry().filter(end -> end.isAfter(time.instant()))
        : Optional.empty();
  }

  /** Judges all listeners anew, because other rules hold. */
  public void authorizeAgain() {
    streams.forEach(ListenStream::authorizeAgain);
  }

  /** Ends those whose tokens are over. */
  public void expire() {
    Instant now = time.instant();
    streams.forEach(stream -> stream.expire(now));
  }
}
