package dev.syncguard.console;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.syncguard.console.KeyHistory.End;
import dev.syncguard.console.KeyHistory.Hold;
import dev.syncguard.console.KeyHistory.Wait;
import dev.syncguard.lock.telemetry.LockEvent;
import dev.syncguard.lock.telemetry.LockEvent.Outcome;
import dev.syncguard.lock.telemetry.LockEvent.Reason;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The last hour of the keys that changed last. Thread-safe.
 *
 * <p>It learns twice of the same things: from looks at the store, which miss whatever comes and goes between two of them,
 * and from what processes tell, which are only those that were asked to. A lease is one lease by its id, whoever tells first.
 */
final class History {

  static final long KEPT_MS = 3_600_000;

  private static final int MOST_KEYS = 1000;
  private static final int MOST_IDS = 20_000;
  /** A waiter that we do not hear of for so long has left: its end is not told. */
  private static final long SILENCE_MS = 60_000;
  /** Closer than this, one holder followed the other by a hand-off. */
  private static final long HAND_OFF_MS = 100;

  private final Map<String, KeyHistory> keys = new LinkedHashMap<>(16, 0.75f, true) {
    @Override
    protected boolean removeEldestEntry(Map.Entry<String, KeyHistory> eldest) {
      return size() > MOST_KEYS;
    }
  };
  private final Map<String, String> keyOfId = new LinkedHashMap<>() {
    @Override
    protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
      return size() > MOST_IDS;
    }
  };
  private final Histogram waitTimes = new Histogram();
  private final Histogram holdTimes = new Histogram();
  private boolean told;

  /** Returns the observer of one look at the store. */
  LockTableState.Observer observing(long now) {
    return new LockTableState.Observer() {
      @Override
      public void taken(LockRow row) {
        seen(row, now);
      }

      @Override
      public void ended(LockRow row) {
        unseen(row, now);
      }
    };
  }

  private synchronized void seen(LockRow row, long now) {
    Hold hold = begin(row.key(), row.id(), row.since(), now);
    hold.fence = row.fence();
    row.note().ifPresent(note -> hold.note = note);
  }

  private synchronized void unseen(LockRow row, long now) {
    boolean over = row.until() <= now;
    find(row.key(), row.id())
        .filter(Hold::isOpen)
        .ifPresent(hold ->
            finish(row.key(), hold, over ? row.until() : now, over ? End.EXPIRED : End.RELEASED));
  }

  /** Takes what a process tells. */
  synchronized void tell(SentEvent event) {
    told = true;
    if (event.type() == LockEvent.Type.ACQUIRE
        && event.key().isPresent()
        && event.id().isPresent()) {
      acquire(event, event.key().get(), event.id().get());
    } else if (event.type() == LockEvent.Type.FORCE_RELEASE && event.outcome() == Outcome.OK) {
      event.key().ifPresent(key -> forced(event, key));
    } else if (event.type() == LockEvent.Type.RELEASE || event.type() == LockEvent.Type.EXTEND) {
      event.id().ifPresent(id -> released(event, id));
    }
  }

  private void acquire(SentEvent event, String key, String id) {
    KeyHistory history = history(key);
    Optional<Wait> wait = history.openWait(id);
    wait.ifPresent(open -> open.lastHeard = event.at());
    if (event.outcome() == Outcome.OK) {
      long from = wait.map(open -> open.from).orElse(event.at() - event.tookMs());
      waitTimes.add(event.at() - from);
      wait.ifPresent(open -> close(open, event.at(), true));
      begin(key, id, event.at(), event.at()).process = event.process();
    } else if (event.reason().equals(Optional.of(Reason.LOCKED)) && wait.isEmpty()) {
      Wait begun = new Wait(id, event.process(), event.at() - event.tookMs());
      begun.lastHeard = event.at();
      history.add(begun);
      history.changed = event.at();
    }
  }

  /** Whose lease it was is not told, and a look may have missed it already: it was the last one that began before. */
  private void forced(SentEvent event, String key) {
    long asked = event.at() - event.tookMs();
    Optional<Hold> ended = history(key).holds.stream()
        .filter(hold -> hold.from <= asked)
        .reduce((first, last) -> last);
    ended.ifPresent(hold -> {
      if (hold.isOpen()) {
        finish(key, hold, event.at(), End.FORCED);
      } else if (hold.end == End.RELEASED && hold.to >= asked) {
        hold.end = End.FORCED;
      }
    });
  }

  private void released(SentEvent event, String id) {
    boolean done = event.outcome() == Outcome.OK;
    if (done && event.type() == LockEvent.Type.EXTEND) {
      return;
    }
    boolean late = event.reason().isPresent(); // expired, or no longer there
    String key = keyOfId.get(id);
    Optional<Hold> hold = key == null ? Optional.empty() : find(key, id);
    if (key == null || hold.isEmpty() || !(done || late)) {
      return;
    }
    if (hold.get().isOpen()) {
      finish(key, hold.get(), event.at(), done ? End.RELEASED : End.LOST);
    } else if (late && !hold.get().given && hold.get().end != End.FORCED) {
      hold.get().end = End.LOST; // a look had seen it end, but its holder was still at work
    }
    hold.get().given |= done;
  }

  private Hold begin(String key, String id, long from, long now) {
    KeyHistory history = history(key);
    Optional<Hold> known = history.hold(id);
    if (known.isPresent()) {
      return known.get();
    }
    // Somebody else has it, so that whoever had it before has no more.
    history
        .openHold()
        .ifPresent(before ->
            finish(key, before, Math.max(before.from, Math.min(from, now)), End.RELEASED));
    Hold hold = new Hold(id, from);
    hold.handedOver = history.holds.stream()
        .anyMatch(
            before -> before.end == End.RELEASED && Math.abs(from - before.to) <= HAND_OFF_MS);
    history.add(hold);
    history.changed = now;
    keyOfId.put(id, key);
    return hold;
  }

  private void finish(String key, Hold hold, long at, End end) {
    hold.to = Math.max(hold.from, at);
    hold.end = end;
    holdTimes.add(hold.to - hold.from);
    history(key).changed = at;
  }

  private static void close(Wait wait, long at, boolean granted) {
    wait.open = false;
    wait.to = at;
    wait.granted = granted;
  }

  private Optional<Hold> find(String key, String id) {
    return Optional.ofNullable(keys.get(key)).flatMap(history -> history.hold(id));
  }

  private KeyHistory history(String key) {
    return keys.computeIfAbsent(key, KeyHistory::new);
  }

  /** Forgets what is older than an hour, and waiters of whom nothing is heard. */
  synchronized void tidy(long now) {
    keys.values().removeIf(history -> {
      history.waits.stream()
          .filter(wait -> wait.open && now - wait.lastHeard > SILENCE_MS)
          .forEach(wait -> close(wait, wait.lastHeard, false));
      return history.forget(now - KEPT_MS);
    });
  }

  /** Returns the keys that changed last, with all that is known of their last hour. */
  synchronized ObjectNode timeline(int limit) {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("told", told).put("keptMs", KEPT_MS).put("total", keys.size());
    ArrayNode rows = node.putArray("keys");
    keys.values().stream()
        .sorted(
            Comparator.comparingLong((KeyHistory history) -> history.changed).reversed())
        .limit(limit)
        .forEach(history -> rows.add(history.json()));
    return node;
  }

  synchronized Optional<ObjectNode> of(String key) {
    return keys.containsKey(key) ? Optional.of(history(key).json()) : Optional.empty();
  }

  synchronized ObjectNode histograms() {
    ObjectNode node = JsonNodeFactory.instance.objectNode().put("told", told);
    node.set("wait", waitTimes.json());
    node.set("hold", holdTimes.json());
    return node;
  }

  /** Returns who waits for whom, now. */
  synchronized ObjectNode waits() {
    WaitGraph graph = new WaitGraph();
    keys.values().forEach(history -> {
      history.openHold().ifPresent(hold -> graph.holds(hold.process, history.key));
      history.waits.stream()
          .filter(wait -> wait.open)
          .forEach(wait -> graph.waits(wait.process, history.key));
    });
    return graph.json().put("told", told);
  }

  /** Returns which process has told that it holds a lease, by the id of the lease. */
  synchronized ObjectNode holders() {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    keys.values()
        .forEach(history -> history
            .openHold()
            .filter(hold -> hold.process != null)
            .ifPresent(hold -> node.put(hold.id, hold.process)));
    return node;
  }

  /** Returns how many are known to wait for each key. */
  synchronized ObjectNode waiters() {
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    keys.values().forEach(history -> {
      long waiting = history.waits.stream().filter(wait -> wait.open).count();
      if (waiting > 0) {
        node.put(history.key, waiting);
      }
    });
    return node;
  }
}
