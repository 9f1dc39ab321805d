package dev.syncguard.lock.simulation;

import dev.syncguard.lock.Background;
import dev.syncguard.lock.Time;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A world in which one thread at a time does one step, chosen by a seed, and time passes only when nobody has anything
 * to do. The same seed always tells the same story.
 *
 * <p>Actors are real threads, so the library runs unchanged; they pass a baton whenever they wait through {@link Time}
 * or call {@link #hesitate()}.
 */
final class World {

  private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

  final Random random;
  private final Consumer<String> trace;
  private final List<Actor> actors = new ArrayList<>();
  private long nanos;
  private boolean calm;
  private @Nullable Actor running;
  private @Nullable Throwable failure;

  World(long seed, Consumer<String> trace) {
    this.random = new Random(seed);
    this.trace = trace;
  }

  /** A machine of the world: its actors can be killed or paused together. */
  final class Machine implements Background {
    final String name;
    private boolean dead;
    private long pausedUntil;
    private boolean wasPaused;

    Machine(String name) {
      this.name = name;
    }

    /** Starts an actor of this process. */
    Actor start(String what, Runnable work) {
      Actor actor = new Actor(World.this, this, name + "/" + what, work, nanos);
      actors.add(actor);
      return actor;
    }

    @Override
    public Task after(Duration delay, Runnable work) {
      Actor actor =
          new Actor(World.this, this, name + "/background", work, nanos + delay.toNanos());
      actors.add(actor);
      return actor::cancelIfNotStarted;
    }

    /** Stops every actor for good, wherever it is, as {@code kill -9} would. */
    void kill() {
      say(name + " is killed");
      dead = true;
    }

    /** Keeps every actor from moving for a while; the clocks go on. */
    void pause(Duration duration) {
      say(name + " is paused for " + duration.toMillis() + " ms");
      pausedUntil = nanos + duration.toNanos();
      wasPaused = true;
    }

    boolean wasPaused() {
      return wasPaused;
    }

    boolean isDead() {
      return dead;
    }
  }

  final Time time = new Time() {
    @Override
    public Instant now() {
      return START.plusNanos(nanos);
    }

    @Override
    public long nanos() {
      return nanos;
    }

    @Override
    public Signal newSignal() {
      return new WorldSignal();
    }
  };

  private final class WorldSignal implements Time.Signal {
    private boolean fired;
    private @Nullable Actor waiter;

    @Override
    public boolean await(Duration atMost) throws InterruptedException {
      Actor self = current();
      if (!fired) {
        waiter = self;
        self.waitUntil(nanos + atMost.toNanos());
        waiter = null;
      }
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      boolean result = fired;
      fired = false;
      return result;
    }

    @Override
    public void fire() {
      fired = true;
      if (waiter != null) {
        waiter.wake(nanos);
      }
    }
  }

  /** Lets the network be reliable from now on. */
  void calmDown() {
    say("the network is calm");
    calm = true;
  }

  boolean isCalm() {
    return calm;
  }

  Actor current() {
    if (running == null) {
      throw new IllegalStateException("Only actors may wait in this world");
    }
    return running;
  }

  /** Lets others go first, perhaps. */
  void hesitate() {
    current().waitUntil(nanos);
  }

  /** Lets time pass for the current actor. */
  void sleep(Duration duration) {
    current().waitUntil(nanos + duration.toNanos());
  }

  void interrupt(Actor actor) {
    say("interrupts " + actor);
    actor.interrupt(nanos);
  }

  void say(String what) {
    trace.accept(
        String.format("%9.3f ms  %s: %s", nanos / 1e6, running == null ? "world" : running, what));
  }

  void fail(Throwable error) {
    if (failure == null) {
      failure = error;
    }
  }

  /** Goes on until nobody is left who could do anything, checking after each step. */
  void run(Runnable check) {
    try {
      for (Actor next = choose(); next != null && failure == null; next = choose()) {
        nanos = Math.max(nanos, Math.max(next.readyAt(), next.machine.pausedUntil));
        running = next;
        next.step();
        running = null;
        check.run();
      }
      if (failure != null) {
        throw new AssertionError(failure);
      }
    } finally {
      // Those who are stopped may still hand work to the background, which then never starts.
      List.copyOf(actors).forEach(Actor::stop);
    }
  }

  /** Returns whether nobody could do anything at this moment, so that only time would change something. */
  boolean nothingIsUnderWay() {
    return actors.stream()
        .allMatch(actor -> actor.isDone()
            || actor.machine.isDead()
            || (!actor.hasStarted() && actor.readyAt() > nanos));
  }

  /** Returns somebody among those who can move now; if nobody can, whoever can move first. */
  private @Nullable Actor choose() {
    actors.removeIf(actor -> actor.isDone() || (actor.machine.isDead() && !actor.hasStarted()));
    List<Actor> ready = new ArrayList<>();
    long earliest = Long.MAX_VALUE;
    for (Actor actor : actors) {
      if (actor.machine.isDead()) {
        continue;
      }
      long at = Math.max(nanos, Math.max(actor.readyAt(), actor.machine.pausedUntil));
      if (at < earliest) {
        earliest = at;
        ready.clear();
      }
      if (at == earliest) {
        ready.add(actor);
      }
    }
    return ready.isEmpty() ? null : ready.get(random.nextInt(ready.size()));
  }
}
