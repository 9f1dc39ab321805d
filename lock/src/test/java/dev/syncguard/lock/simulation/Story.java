package dev.syncguard.lock.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.Fence;
import dev.syncguard.lock.Internals;
import dev.syncguard.lock.Lease;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.LockRequest;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.Loss;
import dev.syncguard.lock.memory.MemoryLockBackend;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.spi.LockQuery;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * A few processes with a few threads each want a few keys, over a network that may be bad, while somebody kills, pauses,
 * cancels and interrupts. What must hold whatever happens is checked after every step.
 */
final class Story {

  private record Held(World.Machine process, LockKey key, Lease lease, List<Loss> losses) {
    boolean isRelied() {
      return !process.isDead() && lease.isHeld();
    }
  }

  private record Participant(World.Machine process, Locks locks, SimulatedStore way) {}

  /** Reasons for which a wait may end without the key. */
  private static final Set<LockException.Code> REASONS = EnumSet.of(
      LockException.Code.ACQUISITION_TIMEOUT,
      LockException.Code.ABORTED,
      LockException.Code.NETWORK_TIMEOUT,
      LockException.Code.SERVICE_UNAVAILABLE);

  /** How soon after the network is calm a key that was given back must be free: the longest pause and a few trips. */
  private static final Duration SOON = Duration.ofSeconds(2);

  /** How long after the faults every request has arrived, and everything that was left behind was given back. */
  private static final Duration AFTER_THE_FAULTS = Duration.ofSeconds(15);

  private final World world;
  private final Random random;
  private final LockBackend store;
  private final List<String> keys = new ArrayList<>();
  private final List<Participant> participants = new ArrayList<>();
  private final List<Held> everHeld = new ArrayList<>();
  private final Map<LockKey, Fence> lastFence = new HashMap<>();
  private final Map<LockId, Instant> lastPromise = new HashMap<>();
  private final List<Actor> users = new ArrayList<>();
  private final Set<LockId> forgotten = new HashSet<>();
  private final double unreliability;
  private final World.Machine network;
  private final boolean longTtl;
  private final StoreTrace.OfKeys storeTraces;

  Story(long seed, UnaryOperator<LockBackend> fault, Consumer<String> trace) {
    world = new World(seed, trace);
    random = world.random;
    storeTraces = new StoreTrace.OfKeys(world.time);
    store = new TracedStore(fault.apply(new MemoryLockBackend(world.time)), storeTraces);
    network = world.new Machine("network");
    longTtl = random.nextInt(3) == 0;
    unreliability = List.of(0.0, 0.02, 0.1).get(random.nextInt(3));
    for (int i = 0; i <= random.nextInt(2); i++) {
      keys.add("key-" + i);
    }
    for (int p = 0; p <= random.nextInt(3); p++) {
      World.Machine process = world.new Machine("p" + p);
      SimulatedStore way = new SimulatedStore(world, network, store, unreliability);
      Locks locks = Locks.builder(way)
          .time(world.time)
          .background(process)
          .random(new Random(random.nextLong()))
          .onReleaseError((error, failure) -> {})
          .maxHandOffs(random.nextInt(4))
          .build();
      Participant participant = new Participant(process, locks, way);
      participants.add(participant);
      for (int t = 0; t <= random.nextInt(4); t++) {
        Cancellation cancellation = Cancellation.create();
        Actor actor = process.start("t" + t, () -> useLocks(participant, cancellation));
        users.add(actor);
        if (random.nextInt(6) == 0) {
          network.after(upTo(3000), cancellation::cancel);
        }
        if (random.nextInt(6) == 0) {
          network.after(upTo(3000), () -> world.interrupt(actor));
        }
      }
      if (random.nextInt(6) == 0) {
        network.after(upTo(3000), process::kill);
      }
      if (random.nextInt(4) == 0) {
        network.after(upTo(3000), () -> process.pause(upTo(3000)));
      }
    }
  }

  private Duration upTo(int millis) {
    return Duration.ofMillis(1 + random.nextInt(millis));
  }

  private void useLocks(Participant participant, Cancellation cancellation) {
    for (int i = 0; i <= random.nextInt(4); i++) {
      Duration limit = upTo(6000);
      Duration ttl = longTtl ? Duration.ofMinutes(1) : upTo(1500);
      LockRequest request = participant
          .locks
          .lock(keys.get(random.nextInt(keys.size())))
          .ttl(ttl)
          .waitUpTo(limit)
          .cancelWith(cancellation);
      if (random.nextInt(3) == 0) {
        request = request.autoExtend(ttl.plus(upTo(4500)));
      }
      boolean waits = random.nextInt(4) != 0;
      long began = world.time.nanos();
      Optional<Lease> lease = Optional.empty();
      try {
        lease = waits ? Optional.of(request.acquire()) : request.tryAcquire();
      } catch (LockException e) {
        world.say("gets " + e.code());
        Duration waited = Duration.ofNanos(world.time.nanos() - began);
        endedForAReason(participant, cancellation, e, waits, waited, limit);
      }
      lease.ifPresent(got -> hold(participant, got));
    }
  }

  /** A wait ends at its limit, because the caller gave up, or never: no number of failures is a reason. */
  private void endedForAReason(
      Participant participant,
      Cancellation cancellation,
      LockException error,
      boolean waits,
      Duration waited,
      Duration limit) {
    assertThat(error.code()).isIn(REASONS);
    assertThat(error.key()).isPresent();
    assertThat(error.lockId()).isPresent();
    if (error.code() == LockException.Code.ABORTED) {
      assertThat(cancellation.isCancelled() || Thread.currentThread().isInterrupted())
          .as("aborted by the caller")
          .isTrue();
    } else if (waits) {
      assertThat(waited).as("waited").isGreaterThanOrEqualTo(limit);
      if (!participant.process.wasPaused()) {
        assertThat(waited).as("waited").isLessThanOrEqualTo(limit.plus(SOON));
      }
    }
  }

  /** Between the store's idea of a lease and ours lies no more than the way of the request. */
  private void promisesNoLessThanTheNetworkExplains(Participant participant, Lease lease) {
    Duration trip = Duration.ofNanos(participant.way.tripsNanos.getOrDefault(lease.id(), 0L));
    Instant promised = world.time.now().plus(lease.remaining());
    store
        .lookupRaw(new LockQuery.ById(lease.id()), Cancellation.none())
        .ifPresent(stored -> assertThat(promised)
            .as("what %s promises", lease)
            .isAfterOrEqualTo(stored.expiresAt().minus(trip).minusMillis(2)));
  }

  private void hold(Participant participant, Lease lease) {
    World.Machine process = participant.process;
    world.say("holds " + lease);
    if (lease.isHeld()) {
      promisesNoLessThanTheNetworkExplains(participant, lease);
    }
    Fence before = lastFence.put(lease.key(), lease.fence());
    if (before != null) {
      assertThat(lease.fence()).as("fence after an earlier one").isGreaterThan(before);
    }
    Held held = new Held(process, lease.key(), lease, new ArrayList<>());
    everHeld.add(held);
    lease.whenLost().thenAccept(held.losses::add);
    // Now and then for longer than the lease and the tolerance last.
    world.sleep(random.nextInt(4) == 0 ? upTo(4000) : upTo(500));
    switch (random.nextInt(8)) {
      case 0 -> {
        world.say("forgets " + lease);
        forgotten.add(lease.id());
      }
      case 1 -> {
        try {
          lease.release();
        } catch (LockException e) {
          world.say("could not release: " + e.code());
        }
      }
      default -> lease.close();
    }
  }

  private void calmDownWhenAllHaveFinished() {
    if (!world.isCalm()
        && users.stream().allMatch(user -> user.isDone() || user.machine.isDead())) {
      world.calmDown();
      if (participants.stream().noneMatch(participant -> participant.process.isDead())) {
        network.after(AFTER_THE_FAULTS, this::everyKeyCanBeHadAgain);
      }
    }
  }

  /** After the faults every key is free that nobody forgot to give back, long before its ttl is over. */
  private void everyKeyCanBeHadAgain() {
    for (String key : keys) {
      store
          .lookupRaw(new LockQuery.ByKey(LockKey.of(key)), Cancellation.none())
          .ifPresent(ghost -> assertThat(isExcused(ghost.lockId()))
              .as("%s is held by nobody, but not free", ghost)
              .isTrue());
    }
  }

  private boolean isExcused(LockId id) {
    return forgotten.contains(id)
        || participants.stream().anyMatch(participant -> participant.way.copied.contains(id));
  }

  void play() {
    world.run(() -> {
      calmDownWhenAllHaveFinished();
      nobodySharesAKey();
      nobodyPromisesMoreThanTheStoreGranted();
      nobodyLeavesAGhost();
    });
    for (Participant participant : participants) {
      assertThat(participant.process.isDead() || Internals.isIdle(participant.locks))
          .as("nobody waits any more and nothing is remembered")
          .isTrue();
    }
    for (Held held : everHeld) {
      if (!held.process.isDead()) {
        assertThat(held.lease.isHeld()).as("in the end nothing is held").isFalse();
      }
    }
  }

  /** Returns what happened at the store, for each key. */
  Map<LockKey, StoreTrace> storeTraces() {
    return storeTraces.all();
  }

  int grants() {
    return everHeld.size();
  }

  private void nobodySharesAKey() {
    Map<LockKey, Lease> holders = new HashMap<>();
    for (Held held : everHeld) {
      if (held.isRelied()) {
        assertThat(held.losses).as("a lease that is held has not been lost").isEmpty();
        Lease other = holders.put(held.key, held.lease);
        assertThat(other).as("another holder of %s", held.key).isNull();
      }
    }
  }

  /** The store is asked, not the lease: as long as it counts as held, it is there for at least that long. */
  private void nobodyPromisesMoreThanTheStoreGranted() {
    for (Held held : everHeld) {
      if (!held.isRelied()) {
        continue;
      }
      Instant promised = world.time.now().plus(held.lease.remaining());
      if (!promised.equals(lastPromise.put(held.lease.id(), promised))) {
        storeTraces.of(held.lease.id()).promises(held.lease.id(), held.lease.remaining());
      }
      assertThat(store.lookupRaw(new LockQuery.ById(held.lease.id()), Cancellation.none()))
          .as("what the store knows of %s", held.lease)
          .hasValueSatisfying(stored ->
              // The store counts in whole milliseconds.
              assertThat(promised).isBeforeOrEqualTo(stored.expiresAt().plusMillis(1)));
    }
  }

  /** On a network that loses nothing, whoever has finished holds nothing but what they forgot. */
  private void nobodyLeavesAGhost() {
    boolean calm = unreliability == 0
        && participants.stream().noneMatch(participant -> participant.process.isDead())
        && users.stream().allMatch(Actor::isDone)
        && world.nothingIsUnderWay();
    if (calm) {
      for (String key : keys) {
        store
            .lookupRaw(new LockQuery.ByKey(LockKey.of(key)), Cancellation.none())
            .ifPresent(
                ghost -> assertThat(forgotten).as("ghost of %s", ghost).contains(ghost.lockId()));
      }
    }
  }
}
