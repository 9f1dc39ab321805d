package dev.syncguard.torture.report;

import dev.syncguard.torture.Outcome;
import dev.syncguard.torture.history.Event;
import dev.syncguard.torture.history.Event.Asked;
import dev.syncguard.torture.history.Event.Granted;
import dev.syncguard.torture.history.Event.Hurt;
import dev.syncguard.torture.history.Event.Looked;
import dev.syncguard.torture.history.Event.OfWorker;
import dev.syncguard.torture.history.Event.Refused;
import dev.syncguard.torture.history.Event.Releasing;
import dev.syncguard.torture.history.Event.Strayed;
import dev.syncguard.torture.history.Event.Wrote;
import dev.syncguard.torture.history.Leases;
import dev.syncguard.torture.history.Tenure;
import dev.syncguard.torture.history.Violation;
import dev.syncguard.torture.history.Wait;
import dev.syncguard.torture.questions.Answer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What can be counted and measured in the history of a campaign. */
final class Findings {

  private static final int EVENTS_AROUND = 12;

  private final Outcome outcome;
  private final Leases leases;
  private final List<Event> inOrder;

  Findings(Outcome outcome) {
    this.outcome = outcome;
    this.leases = Leases.of(outcome.history());
    this.inOrder =
        outcome.history().stream().sorted(Comparator.comparingLong(Event::at)).toList();
  }

  Outcome outcome() {
    return outcome;
  }

  Map<String, List<Tenure>> leases() {
    return leases.byKey();
  }

  List<Hurt> hurts() {
    return inOrder.stream().filter(Hurt.class::isInstance).map(Hurt.class::cast).toList();
  }

  /** Returns how often the workers asked the store for something, extensions and the renewals of long leases not counted. */
  long operations() {
    return inOrder.stream()
        .filter(e -> e instanceof Asked
            || e instanceof Releasing
            || e instanceof Looked
            || e instanceof Strayed)
        .count();
  }

  long grants() {
    return inOrder.stream().filter(Granted.class::isInstance).count();
  }

  long writes(boolean accepted) {
    return inOrder.stream()
        .filter(e -> e instanceof Wrote w && w.accepted() == accepted)
        .count();
  }

  /** Returns why attempts got no lease, and how often. */
  Map<String, Long> refusals() {
    Map<String, Long> refusals = new TreeMap<>();
    for (Event event : inOrder) {
      if (event instanceof Refused refused) {
        refusals.merge(refused.why(), 1L, Long::sum);
      }
    }
    return refusals;
  }

  Sample waits() {
    return Sample.ofNanos(Wait.in(inOrder).stream()
        .filter(Wait::granted)
        .map(wait -> wait.until() - wait.from())
        .toList());
  }

  Sample holds() {
    return Sample.ofNanos(leases.byKey().values().stream()
        .flatMap(List::stream)
        .map(tenure -> tenure.shownUntil() - tenure.grant().at())
        .toList());
  }

  /** Returns for each fault how long it took until the worker that suffered it, or anybody if all did, got a lock again. */
  Map<String, Sample> recoveries() {
    Map<String, List<Long>> all = new TreeMap<>();
    for (Hurt hurt : hurts()) {
      inOrder.stream()
          .filter(e -> e instanceof Granted g
              && g.sent() > hurt.at()
              && g.at() > hurt.until()
              && (hurt.worker() == Hurt.STORE || g.worker() == hurt.worker()))
          .findFirst()
          .ifPresent(g -> all.computeIfAbsent(hurt.fault(), fault -> new ArrayList<>())
              .add(g.at() - (hurt.worker() == Hurt.STORE ? hurt.at() : hurt.until())));
    }
    Map<String, Sample> recoveries = new TreeMap<>();
    all.forEach((fault, nanos) -> recoveries.put(fault, Sample.ofNanos(nanos)));
    return recoveries;
  }

  /** Returns what the store was asked and how many answers had this verdict. */
  long answers(Answer.Verdict verdict) {
    return outcome.answers().stream()
        .filter(answer -> answer.verdict() == verdict)
        .count();
  }

  /** Returns what happened to the key of a violation shortly before and after it, and what was done to anybody then. */
  List<Event> around(Violation violation) {
    if (violation.kind() == Violation.Kind.BROKEN_CONTRACT) {
      return List.of(); // It was asked before anything happened.
    }
    List<Event> near = inOrder.stream()
        .filter(e -> e instanceof Hurt || ((OfWorker) e).key().equals(violation.key()))
        .toList();
    int at = 0;
    while (at < near.size() && near.get(at).at() < violation.at()) {
      at++;
    }
    return near.subList(Math.max(0, at - EVENTS_AROUND), Math.min(near.size(), at + EVENTS_AROUND));
  }

  /** Returns a time of the history as milliseconds since its beginning. */
  double millis(long at) {
    return (at - outcome.began()) / 1e6;
  }
}
