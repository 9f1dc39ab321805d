package dev.syncguard.benchmarks.sync;

import dev.syncguard.sync.Clocks;
import dev.syncguard.sync.Timers;
import java.time.Instant;
import java.util.PriorityQueue;

/** A clock that goes as fast as there is nothing to do. Not thread-safe. */
final class VirtualTime implements Clocks, Timers {

  private static final long START = Instant.parse("2026-01-01T06:00:00Z").toEpochMilli();

  private record Event(long at, long order, Runnable work) implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      return at != other.at ? Long.compare(at, other.at) : Long.compare(order, other.order);
    }
  }

  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private long now;
  private long order;

  void after(long millis, Runnable work) {
    events.add(new Event(now + millis, order++, work));
  }

  void pass(long millis) {
    long end = now + millis;
    for (Event next = events.peek(); next != null && next.at <= end; next = events.peek()) {
      events.remove();
      now = next.at;
      next.work.run();
    }
    now = end;
  }

  @Override
  public long wallMillis() {
    return START + now;
  }

  @Override
  public long monotonicMillis() {
    return now;
  }

  @Override
  public Timer schedule(long delayMillis, Runnable task) {
    boolean[] cancelled = {false};
    after(delayMillis, () -> {
      if (!cancelled[0]) {
        task.run();
      }
    });
    return () -> cancelled[0] = true;
  }
}
