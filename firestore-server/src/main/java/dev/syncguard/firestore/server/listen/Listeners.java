package dev.syncguard.firestore.server.listen;

import com.google.firestore.v1.Target;
import dev.syncguard.firestore.server.auth.AuthContext;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** All who listen now, for what concerns them beside the commits. Thread-safe. */
public final class Listeners {
  private final Set<ListenStream> streams = ConcurrentHashMap.newKeySet();
  private final InstantSource time;
  private final ResumeTokens tokens;
  private final ListenerMemory memory;

  /**
   * @param run a number that no other run of a server has
   * @param maxBytes how much memory what they know may take
   */
  public Listeners(InstantSource time, long run, long maxBytes) {
    this.time = time;
    this.tokens = new ResumeTokens(run);
    this.memory = new ListenerMemory(maxBytes);
  }

  ListenerMemory memory() {
    return memory;
  }

  /** Returns whether those who listen know so much that others may soon be refused. */
  public boolean isCrowded() {
    return memory.isCrowded();
  }

  ResumeTokens tokens() {
    return tokens;
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

  /**
   * A listener that is open, as people who debug see it.
   *
   * @param targets what it listens to, in a few words each
   */
  public record Open(String caller, String database, Duration age, List<String> targets) {}

  /** Returns those who listen now, the oldest first. */
  public List<Open> open() {
    Instant now = time.instant();
    return streams.stream()
        .map(stream -> stream.describe(now))
        .sorted(Comparator.comparing(Open::age).reversed())
        .toList();
  }

  /** Returns what a target stands for, in a few words. */
  static String describe(Target target) {
    if (target.hasDocuments()) {
      int count = target.getDocuments().getDocumentsCount();
      String first = count == 0 ? "nothing" : target.getDocuments().getDocuments(0);
      return first.replaceFirst("^projects/[^/]+/databases/[^/]+/documents/", "")
          + (count > 1 ? " and " + (count - 1) + " more" : "");
    }
    String parent = target.getQuery().getParent();
    String below = parent.replaceFirst("^projects/[^/]+/databases/[^/]+/documents/?", "");
    String from = target.getQuery().getStructuredQuery().getFromList().stream()
        .map(selector -> (selector.getAllDescendants() ? "**/" : "") + selector.getCollectionId())
        .findFirst()
        .orElse("*");
    boolean filtered = target.getQuery().getStructuredQuery().hasWhere();
    return (below.isEmpty() ? "" : below + "/") + from + (filtered ? " with a filter" : "");
  }

  Instant now() {
    return time.instant();
  }

  /** Ends those whose tokens are over. */
  public void expire() {
    Instant now = time.instant();
    streams.forEach(stream -> stream.expire(now));
  }
}
