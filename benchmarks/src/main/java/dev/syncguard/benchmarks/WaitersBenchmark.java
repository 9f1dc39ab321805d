package dev.syncguard.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import dev.syncguard.benchmarks.measure.Quartiles;
import dev.syncguard.benchmarks.report.Growth;
import dev.syncguard.benchmarks.report.Numbers;
import dev.syncguard.benchmarks.report.Section;
import dev.syncguard.lock.Lease;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.spi.LockBackend;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * What it costs to wait: many threads of one process for one key, and as many for a key each, all held by another client.
 *
 * <p>While nothing happens, the processor time of this process and of the server is counted. Then the holder lets go, and
 * the time is taken until everybody has had its turn.
 */
public final class WaitersBenchmark {

  private static final Duration LONG = Duration.ofMinutes(10);
  private static final int STACK = 128 * 1024;
  private static final int FEWEST = 10;
  private static final int WEIGHABLE = 1000;

  private static final String ONE_KEY = "one key";
  private static final String KEY_EACH = "a key each";

  private final Topic.Setting setting;
  private final Supplier<LockBackend> opening;
  private final ServerClock server;
  private String remark = "";

  /** Tells how much processor time the server has used so far. */
  public interface ServerClock {
    /** The clock of a store that works inside of this process. */
    ServerClock INSIDE = () -> 0;

    double cpuMillis();
  }

  /** What so many waiters cost. */
  private record Cost(
      int waiters, double clientCpu, double serverCpu, double heapEach, double turnMillis) {}

  /** Waiters on backends that {@code opening} opens, each with a client of its own. */
  public WaitersBenchmark(
      Topic.Setting setting, Supplier<LockBackend> opening, ServerClock server) {
    this.setting = setting;
    this.opening = opening;
    this.server = server;
  }

  /** Adds a sentence about the store at hand. */
  public WaitersBenchmark remarking(String sentence) {
    remark = " " + sentence;
    return this;
  }

  public Section measure() throws Exception {
    String title = "Many waiters";
    Map<String, List<Cost>> costs = new LinkedHashMap<>();
    for (String mode : List.of(ONE_KEY, KEY_EACH)) {
      List<Cost> found = new ArrayList<>();
      for (int count = FEWEST; count <= setting.pace().waiters(); count *= 10) {
        setting.progress().accept(title + ": " + count + " waiters for " + mode);
        String prefix = "waiters-" + mode.length() + "-" + count + "-";
        found.add(measure(count, mode.equals(ONE_KEY) ? i -> prefix + "one" : i -> prefix + i));
      }
      costs.put(mode, found);
    }
    List<List<String>> rows = new ArrayList<>();
    costs.forEach((mode, found) -> found.forEach(cost -> rows.add(List.of(
        cost.waiters + " for " + mode,
        Numbers.plain(cost.clientCpu),
        server == ServerClock.INSIDE ? "inside" : Numbers.plain(cost.serverCpu),
        // Of few there is less than of what else lives and dies meanwhile.
        cost.waiters < WEIGHABLE ? "" : Numbers.plain(cost.heapEach),
        Numbers.plain(cost.turnMillis)))));
    return new Section(
        title,
        "Threads of one process wait for keys that another client holds. *Idle* is the processor time that"
            + " their process and the server use meanwhile, in milliseconds for each second: 1,000 would be a"
            + " core. *Heap* counts no stacks of threads. *A turn* is the time from the holder's"
            + " release until everybody has had a key and given it back, divided by their number."
            + remark,
        List.of("waiters", "idle, client", "idle, server", "bytes of heap each", "ms a turn"),
        rows,
        List.of(),
        figures(costs));
  }

  private List<Growth> figures(Map<String, List<Cost>> costs) {
    List<Growth> figures = new ArrayList<>();
    figures.add(growth("Idle, ms of processor time a second: client", costs, Cost::clientCpu));
    if (server != ServerClock.INSIDE) {
      figures.add(growth("Idle, ms of processor time a second: server", costs, Cost::serverCpu));
    }
    figures.add(growth("Many waiters: ms a turn", costs, Cost::turnMillis));
    return figures;
  }

  private Cost measure(int count, IntFunction<String> keys) throws Exception {
    LockBackend away = opening.get();
    LockBackend here = opening.get();
    try (Locks holder = Locks.over(away);
        Locks waiting = Locks.over(here)) {
      Map<String, Lease> held = new LinkedHashMap<>();
      for (int i = 0; i < count; i++) {
        held.computeIfAbsent(keys.apply(i), key -> holder.lock(key).ttl(LONG).acquire());
      }
      // The first to wait opens what all of them share.
      waiting.lock("waiters-first").acquire().close();
      long before = HeldLeases.usedHeap();
      AtomicReference<Throwable> failure = new AtomicReference<>();
      CountDownLatch begun = new CountDownLatch(count);
      CountDownLatch served = new CountDownLatch(count);
      for (int i = 0; i < count; i++) {
        String key = keys.apply(i);
        Thread thread = new Thread(
            null,
            () -> {
              begun.countDown();
              try (Lease lease = waiting.lock(key).waitUpTo(LONG).acquire()) {
                served.countDown();
              } catch (RuntimeException | Error e) {
                failure.set(e);
              }
            },
            "waiter",
            STACK);
        thread.setDaemon(true);
        thread.start();
      }
      begun.await();
      pause(2); // until the last of them stands in line
      double heapEach = (double) (HeldLeases.usedHeap() - before) / count;
      double client = clientCpuMillis();
      double away0 = server.cpuMillis();
      long start = System.nanoTime();
      pause(2);
      double seconds = (System.nanoTime() - start) / 1e9;
      double clientIdle = (clientCpuMillis() - client) / seconds;
      double serverIdle = (server.cpuMillis() - away0) / seconds;
      long released = System.nanoTime();
      held.values().forEach(Lease::close);
      if (!served.await(LONG.toSeconds(), TimeUnit.SECONDS) || failure.get() != null) {
        throw new IllegalStateException("A waiter did not get its turn", failure.get());
      }
      return new Cost(
          count, clientIdle, serverIdle, heapEach, (System.nanoTime() - released) / 1e6 / count);
    } finally {
      here.close();
      away.close();
    }
  }

  /** Lets time pass: several slices, in a quick run as well as in a full one. */
  private void pause(int times) throws InterruptedException {
    Thread.sleep(setting.pace().contest().multipliedBy(times).toMillis());
  }

  private static double clientCpuMillis() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
            .getProcessCpuTime()
        / 1e6;
  }

  private static Growth growth(
      String title, Map<String, List<Cost>> costs, ToDoubleFunction<Cost> what) {
    return new Growth(
        title,
        "waiters",
        costs.entrySet().stream()
            .map(line -> new Growth.Line(
                "for " + line.getKey(),
                line.getValue().stream()
                    .map(cost -> {
                      double value = what.applyAsDouble(cost);
                      return new Growth.Point(cost.waiters, new Quartiles(value, value, value));
                    })
                    .toList()))
            .toList());
  }
}
