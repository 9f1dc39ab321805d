package dev.syncguard.lock.simulation;

import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Time;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.AcquireResult;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What reached the store for one key and what it answered, in the language of {@code models/trace.pml}, so that the
 * model checker can tell whether the model allows it.
 */
final class StoreTrace {

  private final Time time;
  private final Map<LockId, Integer> numbers = new HashMap<>();
  private final List<String> steps = new ArrayList<>();
  private long millis;
  private long micros;

  StoreTrace(Time time) {
    this.time = time;
    this.millis = millisNow();
    this.micros = microsNow();
  }

  void acquire(String how, LockId id, Ttl ttl, AcquireResult answer) {
    add("%s(%d, %d)".formatted(how, number(id), ttl.millis()));
    answered(answer);
  }

  void takeOver(LockId from, LockId id, Ttl ttl, AcquireResult answer) {
    add("takeOver(%d, %d, %d)".formatted(number(from), number(id), ttl.millis()));
    answered(answer);
  }

  void extend(LockId id, Ttl ttl, boolean extended) {
    add("extend(%d, %d)".formatted(number(id), ttl.millis()));
    add("answered(%s)".formatted(extended ? "EXTENDED" : "GONE"));
  }

  void release(LockId id, boolean released) {
    add("release(%d)".formatted(number(id)));
    add("answered(%s)".formatted(released ? "RELEASED" : "GONE"));
  }

  void leave(LockId id) {
    add("leaveLine(%d)".formatted(number(id)));
  }

  /** Notes for how much longer a holder relies on its lease. */
  void promises(LockId id, Duration remaining) {
    add("promises(%d, %d)".formatted(number(id), remaining.toMillis()));
  }

  private void answered(AcquireResult answer) {
    if (answer instanceof AcquireResult.Acquired acquired) {
      long left =
          Duration.between(Instant.ofEpochMilli(millis), acquired.expiresAt()).toMillis();
      // A wrong store may answer with times that are no numbers to the model.
      add("granted(%d, (%d))"
          .formatted(acquired.fence().value(), Math.max(left, Integer.MIN_VALUE / 2)));
    } else {
      add("answered(REFUSED)");
    }
  }

  private int number(LockId id) {
    return numbers.computeIfAbsent(id, unknown -> numbers.size() + 1);
  }

  private void add(String step) {
    if (microsNow() > micros) {
      steps.add("pass(%d, %d)".formatted(millisNow() - millis, microsNow() - micros));
      millis = millisNow();
      micros = microsNow();
    }
    steps.add(step);
  }

  private long millisNow() {
    return time.now().toEpochMilli();
  }

  private long microsNow() {
    return time.nanos() / 1_000;
  }

  /** Returns the trace as a program for the model checker. */
  String promela() {
    return "#define IDS " + numbers.size() + "\n#include \"trace.pml\"\n\ninit {\n  "
        + String.join(";\n  ", steps) + "\n}\n";
  }

  /** One trace for each key. */
  static final class OfKeys {
    private final Time time;
    private final Map<LockKey, StoreTrace> traces = new HashMap<>();
    private final Map<LockId, LockKey> keys = new HashMap<>();

    OfKeys(Time time) {
      this.time = time;
    }

    StoreTrace of(LockKey key, LockId id) {
      keys.put(id, key);
      return traces.computeIfAbsent(key, unknown -> new StoreTrace(time));
    }

    /** Returns the trace of the key for which the id was used; a new one, of nothing, if it never was. */
    StoreTrace of(LockId id) {
      LockKey key = keys.get(id);
      return key == null ? new StoreTrace(time) : of(key, id);
    }

    Map<LockKey, StoreTrace> all() {
      return traces;
    }
  }
}
