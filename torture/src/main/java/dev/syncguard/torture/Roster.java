package dev.syncguard.torture;

import dev.syncguard.torture.Crew.Member;
import dev.syncguard.torture.history.Event.Hurt;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

/**
 * The workers of a campaign, one at a time for each number.
 *
 * <p>Each number has a thread that does to its worker what is to be done, one thing after the other: a worker that takes its time to
 * end keeps nobody else from being hurt. Used by one thread.
 */
final class Roster {

  private static final Duration LONGEST_END = Duration.ofMinutes(5);

  private final Settings settings;
  private final Crew crew;
  private final Ledger ledger;
  private final LongSupplier nanos;
  private final List<Seat> seats = new ArrayList<>();
  private final Map<FaultKind, Integer> done = new EnumMap<>(FaultKind.class);
  private volatile boolean ending;

  Roster(Settings settings, Crew crew, Ledger ledger, LongSupplier nanos) {
    this.settings = settings;
    this.crew = crew;
    this.ledger = ledger;
    this.nanos = nanos;
  }

  /** Starts all, and returns when each of them can take locks. */
  void start() {
    for (int worker = 0; worker < settings.workers(); worker++) {
      seats.add(new Seat(worker));
    }
    seats.forEach(seat -> seat.member.awaitReady());
  }

  /**
   * Does this to the worker that it names, or to the next one if that is still starting: who has asked for no lock yet has none
   * that could suffer. If all are, it waits, but not for longer than half a calm: a storm that goes on and on leaves none.
   */
  void hurt(Fault fault) {
    Seat seat = IntStream.range(0, seats.size())
        .mapToObj(i -> seats.get((fault.worker() + i) % seats.size()))
        .filter(Seat::isAtWork)
        .findFirst()
        .orElse(seats.get(fault.worker()));
    long due = nanos.getAsLong();
    seat.waiting.incrementAndGet();
    seat.faults.execute(() -> {
      if (!ending) {
        seat.member.awaitAnswer();
      }
      if (!ending && nanos.getAsLong() - due <= settings.calm().dividedBy(2).toNanos()) {
        seat.hurt(fault);
      }
      seat.waiting.decrementAndGet();
    });
  }

  /** Counts something that was done. */
  synchronized void count(FaultKind kind) {
    done.merge(kind, 1, Integer::sum);
  }

  /** Returns what was done how often. */
  synchronized Map<FaultKind, Integer> done() {
    return Map.copyOf(done);
  }

  /** Lets all end in peace, at the same time; what has not been done to them by now is left out. */
  void end() {
    ending = true;
    for (Seat seat : seats) {
      seat.faults.execute(() -> seat.member.end());
      seat.faults.shutdown();
    }
    for (Seat seat : seats) {
      try {
        if (!seat.faults.awaitTermination(LONGEST_END.toSeconds(), TimeUnit.SECONDS)) {
          throw new IllegalStateException("A worker did not end");
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** The place of one worker, which others take after it. */
  private final class Seat {
    private final int worker;
    private final ExecutorService faults;
    private final AtomicInteger waiting = new AtomicInteger();
    private int incarnation;
    private volatile Member member;

    Seat(int worker) {
      this.worker = worker;
      this.member = next(Duration.ZERO);
      this.faults = Executors.newSingleThreadExecutor(work -> {
        Thread created = new Thread(work, "torture-faults-" + worker);
        created.setDaemon(true);
        return created;
      });
    }

    boolean isAtWork() {
      return waiting.get() == 0 && member.isAtWork();
    }

    private Member next(Duration clockOffset) {
      int number = incarnation++;
      Task task = new Task(
          worker,
          number,
          settings.threads(),
          settings.keyNames(),
          settings.ttl(),
          settings.seed() + 1000L * worker + number);
      return crew.start(task, clockOffset, ledger);
    }

    void hurt(Fault fault) {
      count(fault.kind());
      long at = System.nanoTime();
      switch (fault.kind()) {
        case KILL -> {
          member.kill();
          note(fault, at, System.nanoTime());
          member = next(Duration.ZERO);
        }
        case RESTART, CLOCK -> {
          member.end();
          note(fault, at, System.nanoTime());
          member = next(fault.length());
        }
        default -> {
          member.inflict(fault);
          note(fault, at, System.nanoTime() + fault.length().toNanos());
        }
      }
    }

    private void note(Fault fault, long at, long until) {
      ledger.note(new Hurt(fault.kind().word(), worker, at, until));
    }
  }
}
