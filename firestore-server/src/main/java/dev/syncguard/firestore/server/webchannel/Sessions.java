package dev.syncguard.firestore.server.webchannel;

import com.google.rpc.Code;
import dev.syncguard.firestore.server.FirestoreServerException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/** All sessions there are. Their ids cannot be guessed, and there are only so many. Thread-safe. */
final class Sessions {
  private static final int ID_BYTES = 16;

  private final Map<String, Session> sessions = new ConcurrentHashMap<>();
  private final int limit;
  private final SharedBytes shared;
  private final BooleanSupplier streamsAreCrowded;
  private final SecureRandom random;
  private final LongSupplier nanos;

  /** @param streamsAreCrowded whether what runs behind the sessions needs too much memory */
  Sessions(
      int limit,
      long maxBytes,
      BooleanSupplier streamsAreCrowded,
      SecureRandom random,
      LongSupplier nanos) {
    this.limit = limit;
    this.shared = new SharedBytes(maxBytes);
    this.streamsAreCrowded = streamsAreCrowded;
    this.random = random;
    this.nanos = nanos;
  }

  /**
   * Returns a new session. When there are too many, or they keep too much, it costs those whose clients have been away for
   * longest.
   */
  synchronized Session open(Session.Binding binding) {
    boolean some = true;
    while (some && isCrowded()) {
      some = closeLongestAbsent();
    }
    if (sessions.size() >= limit || !shared.hasReserve(0)) {
      throw new FirestoreServerException(
          Code.UNAVAILABLE, "The server has too many web channels at once; try again later.");
    }
    byte[] id = new byte[ID_BYTES];
    random.nextBytes(id);
    Session session = new Session(
        Base64.getUrlEncoder().withoutPadding().encodeToString(id), binding, shared, nanos);
    sessions.put(session.id(), session);
    return session;
  }

  private boolean isCrowded() {
    return sessions.size() >= limit || !shared.hasRoom(0) || streamsAreCrowded.getAsBoolean();
  }

  private boolean closeLongestAbsent() {
    long now = nanos.getAsLong();
    Optional<Session> longest = sessions.values().stream()
        .filter(session -> session.absentSince() != Long.MAX_VALUE)
        .min(Comparator.comparingLong(session -> session.absentSince() - now));
    longest.ifPresent(this::close);
    return longest.isPresent();
  }

  /** Returns the session of that id, if the request may use it. */
  Optional<Session> find(String id, Session.Binding binding) {
    return Optional.ofNullable(sessions.get(id))
        .filter(session -> session.binding().admits(binding));
  }

  void close(Session session) {
    sessions.remove(session.id());
    session.close();
  }

  /** Does what is due, and ends the sessions that nobody uses any more. */
  void tick() {
    for (Session session : sessions.values()) {
      if (!session.tick()) {
        close(session);
      }
    }
  }

  int count() {
    return sessions.size();
  }

  long usedBytes() {
    return shared.used();
  }
}
