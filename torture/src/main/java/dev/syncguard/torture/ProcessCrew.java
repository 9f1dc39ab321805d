package dev.syncguard.torture;

import dev.syncguard.torture.proxy.FaultProxy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Workers that are processes of this machine, each behind a proxy of its own where the store allows one. */
public final class ProcessCrew implements Crew {

  private static final Set<FaultKind> OF_NETWORK = EnumSet.of(
      FaultKind.LOST_REPLIES,
      FaultKind.LOST_REQUESTS,
      FaultKind.LATE_REQUESTS,
      FaultKind.SLOW_REPLIES,
      FaultKind.SILENCE,
      FaultKind.CUT);

  private final List<String> command;
  private final Route route;
  private final Optional<Path> fakeClock;
  private final List<ProcessMember> members = new ArrayList<>();

  /**
   * Returns a crew of processes.
   *
   * @param command what starts a worker, up to the words of its task; it must end in {@link WorkerProcess#run}
   * @param route the way to the store
   * @param fakeClock the library {@code libfaketime}, if there is one
   */
  public ProcessCrew(List<String> command, Route route, Optional<Path> fakeClock) {
    this.command = List.copyOf(command);
    this.route = route;
    this.fakeClock = fakeClock;
  }

  @Override
  public Set<FaultKind> supported() {
    Set<FaultKind> supported = EnumSet.of(FaultKind.KILL, FaultKind.PAUSE, FaultKind.RESTART);
    if (route.obstacle().isEmpty()) {
      supported.addAll(OF_NETWORK);
    }
    if (fakeClock.isPresent() && !route.isFile()) {
      supported.add(FaultKind.CLOCK);
    }
    return supported;
  }

  @Override
  public Map<FaultKind, String> notTried() {
    Map<FaultKind, String> notTried = new EnumMap<>(FaultKind.class);
    route.obstacle().ifPresent(why -> OF_NETWORK.forEach(kind -> notTried.put(kind, why)));
    if (route.isFile()) {
      notTried.put(FaultKind.CLOCK, "all who use a file are on one machine, which has one clock");
    } else if (fakeClock.isEmpty()) {
      notTried.put(FaultKind.CLOCK, "libfaketime is not installed (Debian package faketime)");
    }
    return notTried;
  }

  @Override
  public Member start(Task task, Duration clockOffset, Ledger ledger) {
    try {
      Optional<FaultProxy> proxy =
          route.obstacle().isPresent() ? Optional.empty() : Optional.of(route.newProxy());
      Map<String, String> environment =
          new HashMap<>(proxy.map(p -> route.through(p.port())).orElseGet(route::direct));
      if (!clockOffset.isZero() && fakeClock.isPresent()) {
        environment.put("LD_PRELOAD", fakeClock.get().toString());
        environment.put(
            "FAKETIME",
            (clockOffset.isNegative() ? "" : "+") + clockOffset.toMillis() / 1000.0 + "s");
        // Histories are written on the monotonic clock, and leases are counted on it.
        environment.put("FAKETIME_DONT_FAKE_MONOTONIC", "1");
        // Otherwise timed waits return at once.
        environment.put("FAKETIME_FORCE_MONOTONIC_FIX", "0");
      }
      List<String> words = new ArrayList<>(command);
      words.addAll(task.words());
      ProcessMember member = ProcessMember.start(words, environment, proxy, task.worker(), ledger);
      synchronized (members) {
        members.removeIf(old -> !old.isAlive());
        members.add(member);
      }
      return member;
    } catch (IOException e) {
      throw new UncheckedIOException("A worker process cannot be started", e);
    }
  }

  @Override
  public void close() {
    synchronized (members) {
      members.forEach(Member::kill);
      members.clear();
    }
  }
}
