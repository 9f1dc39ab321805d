package dev.syncguard.sync.simulation;

import java.time.Instant;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Time and chance. One thing happens at a time, in an order that a seed chooses, and time passes only from one thing to
 * the next. The same seed always tells the same story.
 */
final class World {

  private static final long START = Instant.parse("2030-03-01T06:00:00Z").toEpochMilli();

  private record Event(long at, int tie, Runnable work) implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      return at != other.at ? Long.compare(at, other.at) : Integer.compare(tie, other.tie);
    }
  }

  final Random random;
  private final @Nullable Consumer<String> trace;
  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private long now;
  private long steps;

  World(long seed, @Nullable Consumer<String> trace) {
    // Neighbouring seeds of java.util.Random start alike.
    this.random = new Random(seed * 0x9E3779B97F4A7C15L);
    this.trace = trace;
  }

  /** Returns the milliseconds since the story began. */
  long now() {
    return now;
  }

  /** Returns the true time, which only the server knows. */
  long trueMillis() {
    return START + now;
  }

  /** Returns a number that grows with everything that happens. */
  long step() {
    return steps;
  }

  void after(long millis, Runnable work) {
    events.add(new Event(now + Math.max(0, millis), random.nextInt(), work));
  }

  /** Lets everything happen that is due within so many milliseconds. */
  void runFor(long millis) {
    long end = now + millis;
    for (Event next = events.peek(); next != null && next.at <= end; next = events.peek()) {
      events.remove();
      now = next.at;
      steps++;
      next.work.run();
    }
    now = end;
  }

  boolean oneIn(int n) {
    return random.nextInt(n) == 0;
  }

  boolean chance(double probability) {
    return random.nextDouble() < probability;
  }

  int below(int bound) {
    return random.nextInt(bound);
  }

  void say(Supplier<String> what) {
    if (trace != null) {
      long seconds = now / 1000;
      trace.accept(String.format(
          "%3d:%02d:%02d.%03d  %s",
          seconds / 3600, seconds / 60 % 60, seconds % 60, now % 1000, what.get()));
    }
  }
}
