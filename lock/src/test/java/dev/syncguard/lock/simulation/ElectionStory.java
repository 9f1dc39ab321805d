package dev.syncguard.lock.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Candidate;
import dev.syncguard.lock.ElectionTiming;
import dev.syncguard.lock.LeaderElection;
import dev.syncguard.lock.Leadership;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.memory.MemoryLockBackend;
import dev.syncguard.lock.spi.LockBackend;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Four processes stand for one election over a network that may be bad, while somebody kills, pauses and lets step down.
 * The oracle is what the candidates were told, not what the election says of itself.
 */
final class ElectionStory {

  private static final ElectionTiming TIMING =
      new ElectionTiming(Duration.ofSeconds(8), Duration.ofSeconds(4));

  /**
   * Two of them take less than the time to stop, so that a leader that is awake has always stopped before the next one begins;
   * but more than the store's tolerance, so that one that was told too late would be noticed.
   */
  private static final int LONGEST_CALLBACK_MILLIS = 1_900;

  private static final Duration CHAOS = Duration.ofSeconds(30);

  /** How long after the chaos late requests arrive and leases end that nobody knows of. */
  private static final Duration SETTLES = Duration.ofSeconds(30);

  /** The ttl, the tolerance of a second, two looks at the line, and a second for whoever was leader himself. */
  private static final Duration FAILOVER = TIMING.ttl().plusSeconds(5);

  /** One process, and the term that it acts in: from before it is told until after it has stopped. */
  private final class Member implements Candidate {
    final World.Machine process;
    final SimulatedStore way;
    final Locks locks;

    @Nullable
    LeaderElection election;

    @Nullable
    Leadership acting;

    Member(int number, LockBackend store, double unreliability) {
      process = world.new Machine("p" + number);
      way = new SimulatedStore(world, network, store, unreliability);
      locks = Locks.builder(way)
          .time(world.time)
          .background(process)
          .random(new Random(random.nextLong()))
          .onReleaseError((error, failure) -> {})
          .build();
      process.start("main", () -> election = locks.elect("leader", this, TIMING));
    }

    @Override
    public void elected(Leadership leadership) {
      world.say("is elected, " + leadership);
      assertThat(acting).as("an earlier term of the same candidate").isNull();
      for (Member other : members) {
        if (other.acting != null && !other.process.isDead() && !other.process.wasPaused()) {
          assertThat(process.wasPaused() || !leadership.isLeader())
              .as("%s is elected while %s acts", process.name, other.process.name)
              .isTrue();
        }
      }
      assertThat(leadership.term().value()).as("term").isGreaterThan(lastTerm);
      lastTerm = leadership.term().value();
      acting = leadership;
      terms++;
      if (random.nextBoolean()) {
        world.sleep(upTo(LONGEST_CALLBACK_MILLIS));
      }
    }

    @Override
    public void revoked(Leadership leadership) {
      world.say("is revoked, " + leadership);
      assertThat(leadership).isSameAs(acting);
      assertThat(leadership.isLeader()).isFalse();
      world.sleep(upTo(LONGEST_CALLBACK_MILLIS));
      acting = null;
      world.say("has stopped, " + leadership);
    }

    boolean isLeader() {
      return !process.isDead() && election != null && election.isLeader();
    }
  }

  private final World world;
  private final Random random;
  private final World.Machine network;
  private final List<Member> members = new ArrayList<>();
  private long lastTerm;
  private int terms;
  private boolean steppedDownInTheEnd;

  ElectionStory(long seed, UnaryOperator<LockBackend> fault, Consumer<String> trace) {
    world = new World(seed, trace);
    random = world.random;
    network = world.new Machine("network");
    LockBackend store = fault.apply(new MemoryLockBackend(world.time));
    double unreliability = List.of(0.0, 0.02, 0.1, 0.3).get(random.nextInt(4));
    for (int i = 0; i < 4; i++) {
      members.add(new Member(i, store, unreliability));
    }
    if (random.nextBoolean()) {
      network.after(upTo(30_000), members.get(0).process::kill);
    }
    for (Member member : members) {
      if (random.nextInt(3) == 0) {
        network.after(upTo(30_000), () -> member.process.pause(upTo(8_000)));
      }
      if (random.nextInt(2) == 0) {
        network.after(upTo(15_000), () -> member.way.cut = true);
        network.after(Duration.ofSeconds(15).plus(upTo(15_000)), () -> member.way.cut = false);
      }
      if (random.nextInt(2) == 0) {
        member.process.after(upTo(30_000), () -> election(member).stepDown());
      }
    }
    if (random.nextInt(3) == 0) {
      members.get(1).process.after(upTo(30_000), () -> members.get(1).locks.close());
    }
    network.after(CHAOS, world::calmDown);
    network.after(CHAOS.plus(SETTLES), this::killTheLeader);
  }

  private static LeaderElection election(Member member) {
    return Objects.requireNonNull(member.election);
  }

  private Duration upTo(int millis) {
    return Duration.ofMillis(1 + random.nextInt(millis));
  }

  private Member theLeader(String when) {
    List<Member> leaders = members.stream().filter(Member::isLeader).toList();
    assertThat(leaders).as("leaders %s", when).hasSize(1);
    return leaders.get(0);
  }

  private void killTheLeader() {
    theLeader("after the chaos").process.kill();
    network.after(FAILOVER, this::letTheLeaderStepDown);
  }

  private void letTheLeaderStepDown() {
    Member leader = theLeader("after one was killed");
    leader.process.start("operator", () -> {
      election(leader).stepDown().thenRun(() -> steppedDownInTheEnd = leader.acting == null);
      network.after(FAILOVER, this::closeAll);
    });
  }

  private void closeAll() {
    assertThat(steppedDownInTheEnd).as("who stepped down has stopped").isTrue();
    theLeader("after one stepped down");
    members.stream()
        .filter(member -> !member.process.isDead())
        .forEach(member -> member.process.start("shutdown", () -> {
          member.locks.close();
          assertThat(member.acting).as("nobody acts after closing").isNull();
        }));
  }

  void play() {
    world.run(() -> assertThat(members.stream().filter(Member::isLeader))
        .as("leaders at once")
        .hasSizeLessThanOrEqualTo(1));
    assertThat(members).noneMatch(Member::isLeader);
  }

  int terms() {
    return terms;
  }
}
