package dev.syncguard.torture.history;

import dev.syncguard.torture.history.Event.Abandoned;
import dev.syncguard.torture.history.Event.Asked;
import dev.syncguard.torture.history.Event.Ending;
import dev.syncguard.torture.history.Event.Granted;
import dev.syncguard.torture.history.Event.Hurt;
import dev.syncguard.torture.history.Event.Looked;
import dev.syncguard.torture.history.Event.Promised;
import dev.syncguard.torture.history.Event.Refused;
import dev.syncguard.torture.history.Event.Released;
import dev.syncguard.torture.history.Event.Releasing;
import dev.syncguard.torture.history.Event.Strayed;
import dev.syncguard.torture.history.Event.Wrote;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A history that a test writes down, in milliseconds. */
public final class Story {

  static final Bounds BOUNDS =
      new Bounds(Duration.ofSeconds(2), Duration.ofSeconds(5), Duration.ofSeconds(10), true);

  private final List<Event> events = new ArrayList<>();
  private String key = "key";
  private int worker;
  private long attempt;
  private long fence;

  private static long nanos(long millis) {
    return millis * 1_000_000;
  }

  public List<Event> events() {
    return events;
  }

  List<Violation> violations() {
    return Judge.violations(events, BOUNDS);
  }

  Story on(String other) {
    key = other;
    return this;
  }

  Story attempt(int who) {
    worker = who;
    attempt++;
    return this;
  }

  public Story lease(int who, long asked, long granted, long number) {
    attempt(who);
    fence = number;
    events.add(new Asked(worker, key, attempt, nanos(asked), true));
    events.add(new Granted(worker, key, attempt, nanos(asked), nanos(granted), fence));
    return this;
  }

  public Story promise(long at, long until) {
    events.add(new Promised(worker, key, attempt, nanos(at), nanos(until)));
    return this;
  }

  public Story release(long sent, long at, Ending ending) {
    events.add(new Releasing(worker, key, attempt, nanos(sent)));
    events.add(new Released(worker, key, attempt, nanos(sent), nanos(at), ending));
    return this;
  }

  Story abandon(long at) {
    events.add(new Abandoned(worker, key, attempt, nanos(at)));
    return this;
  }

  public Story write(long at, boolean accepted) {
    events.add(new Wrote(worker, key, attempt, nanos(at), fence, accepted));
    return this;
  }

  Story stray(long sent, long at, String operation, boolean worked) {
    events.add(new Strayed(worker, key, attempt, nanos(sent), nanos(at), operation, worked));
    return this;
  }

  Story look(long sent, long at, long seen) {
    events.add(new Looked(worker, key, attempt, nanos(sent), nanos(at), seen));
    return this;
  }

  void refuse(int who, long sent, long at, String why) {
    attempt(who);
    events.add(new Asked(who, key, attempt, nanos(sent), false));
    events.add(new Refused(who, key, attempt, nanos(sent), nanos(at), why));
  }

  void wait(int who, long from, long until, String why) {
    attempt(who);
    events.add(new Asked(who, key, attempt, nanos(from), true));
    events.add(new Refused(who, key, attempt, nanos(from), nanos(until), why));
  }

  public void hurt(String fault, int who, long at, long until) {
    events.add(new Hurt(fault, who, nanos(at), nanos(until)));
  }
}
