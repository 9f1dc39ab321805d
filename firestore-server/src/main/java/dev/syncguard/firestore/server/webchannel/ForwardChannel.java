package dev.syncguard.firestore.server.webchannel;

import java.util.ArrayDeque;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Puts what a client sends back in the order in which it was said. Requests may overtake each other, and one that failed
 * comes again, perhaps with more in it; but each message has a number, which is all that is relied upon. Guarded by its
 * session.
 */
final class ForwardChannel {
  private static final int MAX_EARLY = 1000;

  private final Map<Long, String> early = new TreeMap<>();
  private final Queue<String> inOrder = new ArrayDeque<>();
  private long next;
  private long taken;
  private long bytes;

  /** Takes a message, unless it has come before. Returns false if too many are missing before it. */
  boolean add(long id, String json) {
    if (id < next || early.containsKey(id)) {
      return true;
    }
    if (id - next > MAX_EARLY) {
      return false;
    }
    early.put(id, json);
    bytes += json.length();
    String following = early.remove(next);
    while (following != null) {
      inOrder.add(following);
      next++;
      following = early.remove(next);
    }
    return true;
  }

  /** Removes and returns the next message, if it is there. */
  @Nullable
  String take() {
    String message = inOrder.poll();
    if (message != null) {
      taken++;
      bytes -= message.length();
    }
    return message;
  }

  /** Returns whether messages have come that others are missing before. */
  boolean isMissingSome() {
    return !early.isEmpty();
  }

  /** Returns how many messages have come, without those that others are missing before. */
  long arrived() {
    return next;
  }

  /** Returns how many messages have been taken. */
  long taken() {
    return taken;
  }

  /** Returns about how much memory is used. */
  long bytes() {
    return bytes;
  }

  void clear() {
    early.clear();
    inOrder.clear();
    bytes = 0;
  }
}
