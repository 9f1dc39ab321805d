package dev.syncguard.console;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Who held one key and who waited for it, lately. Not thread-safe. */
final class KeyHistory {

  private static final int MOST = 100;

  /** How a lease ended. */
  enum End {
    RELEASED,
    EXPIRED,
    /** Its holder found out too late. */
    LOST,
    /** Somebody else ended it. */
    FORCED
  }

  /** A holder's time with the key. */
  static final class Hold {
    final String id;
    final long from;
    String fence = "";

    @Nullable
    String process;

    @Nullable
    String note;

    @Nullable
    End end;

    long to;
    boolean handedOver;
    /** Whether its holder has told that it gave the key back. */
    boolean given;

    Hold(String id, long from) {
      this.id = id;
      this.from = from;
    }

    boolean isOpen() {
      return end == null;
    }
  }

  /** A waiter's time in line. */
  static final class Wait {
    final String id;
    final String process;
    final long from;
    long lastHeard;
    long to;
    boolean open = true;
    boolean granted;

    Wait(String id, String process, long from) {
      this.id = id;
      this.process = process;
      this.from = from;
    }
  }

  final String key;
  final Deque<Hold> holds = new ArrayDeque<>();
  final Deque<Wait> waits = new ArrayDeque<>();
  long changed;

  KeyHistory(String key) {
    this.key = key;
  }

  Optional<Hold> hold(String id) {
    return holds.stream().filter(hold -> hold.id.equals(id)).findFirst();
  }

  Optional<Hold> openHold() {
    return holds.stream().filter(Hold::isOpen).reduce((first, last) -> last);
  }

  Optional<Wait> openWait(String id) {
    return waits.stream().filter(wait -> wait.open && wait.id.equals(id)).findFirst();
  }

  void add(Hold hold) {
    holds.add(hold);
    trim(holds);
  }

  void add(Wait wait) {
    waits.add(wait);
    trim(waits);
  }

  private static void trim(Deque<?> deque) {
    while (deque.size() > MOST) {
      deque.removeFirst();
    }
  }

  /** Forgets what ended before, and returns whether nothing is left. */
  boolean forget(long before) {
    removeOld(holds.iterator(), before);
    waits.removeIf(wait -> !wait.open && wait.to < before);
    return holds.isEmpty() && waits.isEmpty();
  }

  private static void removeOld(Iterator<Hold> holds, long before) {
    while (holds.hasNext()) {
      Hold hold = holds.next();
      if (!hold.isOpen() && hold.to < before) {
        holds.remove();
      }
    }
  }

  ObjectNode json() {
    ObjectNode node = JsonNodeFactory.instance.objectNode().put("key", key);
    ArrayNode held = node.putArray("holds");
    for (Hold hold : holds) {
      ObjectNode item = held.addObject().put("id", hold.id).put("from", hold.from);
      item.put("fence", hold.fence).put("process", hold.process).put("note", hold.note);
      if (hold.end != null) {
        item.put("to", hold.to).put("end", hold.end.name());
      }
      if (hold.handedOver) {
        item.put("handedOver", true);
      }
    }
    ArrayNode waited = node.putArray("waits");
    for (Wait wait : waits) {
      ObjectNode item = waited.addObject().put("from", wait.from).put("process", wait.process);
      if (!wait.open) {
        item.put("to", wait.to).put("granted", wait.granted);
      }
    }
    return node;
  }
}
