package dev.syncguard.benchmarks;

import dev.syncguard.benchmarks.measure.Quartiles;
import dev.syncguard.benchmarks.measure.Rounds;
import dev.syncguard.benchmarks.measure.Series;
import dev.syncguard.benchmarks.report.Bar;
import dev.syncguard.benchmarks.report.Goal;
import dev.syncguard.benchmarks.report.Numbers;
import dev.syncguard.benchmarks.report.Panel;
import dev.syncguard.benchmarks.report.Section;
import dev.syncguard.benchmarks.report.Target;
import dev.syncguard.lock.Lease;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.spi.LockBackend;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/** How soon somebody who waits gets a key that became free while the store could not be reached. */
public final class OutageBenchmark {

  private static final Target TARGET = Target.atMost(200);
  private static final String REMEDY =
      "to hear of a broken connection when it breaks: who waits for a message learns of it from the next look at the store, or"
          + " when Google's listener has paused and connected again";
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final int ROUNDS = 3;
  private static final List<Duration> OUTAGES =
      List.of(Duration.ofSeconds(1), Duration.ofSeconds(4));

  private final Topic.Setting setting;
  private final int port;
  private final IntFunction<LockBackend> opening;

  /** Outages of the store at this port; {@code opening} opens a backend that reaches it by another port. */
  public OutageBenchmark(Topic.Setting setting, int port, IntFunction<LockBackend> opening) {
    this.setting = setting;
    this.port = port;
    this.opening = opening;
  }

  public Section measure() throws Exception {
    String title = "Outages";
    Map<String, Callable<Double>> outages = new LinkedHashMap<>();
    for (Duration outage : setting.startsPeers() ? OUTAGES : OUTAGES.subList(0, 1)) {
      outages.put(words(outage), () -> millisUntilGranted(outage));
    }
    int rounds = Math.min(ROUNDS, setting.pace().contests());
    Series<Double> series = new Rounds(rounds, 0, setting.progress()).run(title, outages);
    return new Section(
        title,
        "Somebody waits for a key, the connections to the store break, and new ones are refused. Meanwhile the holder,"
            + " who reaches the store by another way, lets go. Milliseconds from the moment at which the store can"
            + " be reached again until the waiter has the key.",
        List.of("", "ms"),
        series.names().stream()
            .map(name -> List.of(name, Numbers.with(series.of(name, value -> value))))
            .toList(),
        series.names().stream()
            .map(name ->
                new Goal("ms until the next grant, " + name, middle(series, name), TARGET, REMEDY))
            .toList(),
        List.of(new Panel(
            title + ": ms until the next grant",
            series.names().stream()
                .map(name -> new Bar(name, middle(series, name), true))
                .toList(),
            Optional.of(TARGET))));
  }

  private static Quartiles middle(Series<Double> series, String name) {
    return series.of(name, value -> value);
  }

  private static String words(Duration outage) {
    return "after " + outage.toSeconds() + " s";
  }

  private double millisUntilGranted(Duration outage) throws Exception {
    LockBackend direct = opening.apply(port);
    try (Cable cable = new Cable(port)) {
      LockBackend away = opening.apply(cable.port());
      try (Locks holder = Locks.over(direct);
          Locks waiting = Locks.over(away)) {
        Lease held = holder.lock("outage").ttl(PATIENCE).acquire();
        CompletableFuture<Long> granted = new CompletableFuture<>();
        Thread waiter = new Thread(() -> {
          try (Lease lease = waiting.lock("outage").waitUpTo(PATIENCE).acquire()) {
            granted.complete(System.nanoTime());
          } catch (RuntimeException | Error e) {
            granted.completeExceptionally(e);
          }
        });
        waiter.start();
        Thread.sleep(setting.pace().contest().toMillis());
        cable.cut();
        Thread.sleep(outage.toMillis());
        held.close();
        long back = System.nanoTime();
        cable.mend();
        double millis = (granted.get(PATIENCE.toSeconds(), TimeUnit.SECONDS) - back) / 1e6;
        waiter.join();
        return millis;
      } finally {
        away.close();
      }
    } finally {
      direct.close();
    }
  }
}
