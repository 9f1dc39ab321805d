package dev.syncguard.benchmarks.redis;

import dev.syncguard.benchmarks.handoff.Arena;
import dev.syncguard.benchmarks.handoff.HandOffs;
import dev.syncguard.benchmarks.measure.Quartiles;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/** An arena beside which the server's counters are read. */
final class CountedArena implements Arena {

  private final Arena arena;
  private final RedisServer server;
  private final List<Contest> contests = new ArrayList<>();

  private record Contest(double handOffs, ServerWork work) {}

  CountedArena(Arena arena, RedisServer server) {
    this.arena = arena;
    this.server = server;
  }

  @Override
  public HandOffs contest(Duration duration) throws Exception {
    ServerWork before = server.work();
    HandOffs result = arena.contest(duration);
    ServerWork work = server.work().since(before);
    contests.add(new Contest(Math.max(1, result.perSecond() * duration.toNanos() / 1e9), work));
    return result;
  }

  @Override
  public void warmUp(Duration duration) throws Exception {
    arena.warmUp(duration);
  }

  /** Returns how often something happened for each hand-off; the first of several contests is a warm-up. */
  Quartiles perHandOff(ToLongFunction<ServerWork> what) {
    return Quartiles.of(contests.stream()
        .skip(contests.size() > 1 ? 1 : 0)
        .map(contest -> what.applyAsLong(contest.work) / contest.handOffs)
        .toList());
  }

  @Override
  public void close() {
    arena.close();
  }
}
