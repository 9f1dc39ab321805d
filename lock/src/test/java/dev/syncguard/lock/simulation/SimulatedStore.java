package dev.syncguard.lock.simulation;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockInfoDebug;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.Capabilities;
import dev.syncguard.lock.spi.ExtendResult;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.spi.LockQuery;
import dev.syncguard.lock.spi.ReleaseResult;
import dev.syncguard.lock.spi.WaitingLine;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** The way from one process to a store: it takes its time, and loses, delays and doubles what goes over it. */
final class SimulatedStore implements LockBackend {

  private final World world;
  private final World.Machine network;
  private final LockBackend store;
  private final double unreliability;

  /** How long the last request of an id that was answered took to the store. */
  final Map<LockId, Long> tripsNanos = new HashMap<>();

  /** Ids of which a request arrives once more after it was answered. */
  final Set<LockId> copied = new HashSet<>();

  /** Whether nothing gets through at all. */
  boolean cut;

  SimulatedStore(World world, World.Machine network, LockBackend store, double unreliability) {
    this.world = world;
    this.network = network;
    this.store = store;
    this.unreliability = unreliability;
  }

  private <T> T send(LockId id, String what, Supplier<T> request) {
    long sentNanos = world.time.nanos();
    travel();
    if (cut) {
      throw new LockException(LockException.Code.SERVICE_UNAVAILABLE, what + " has no way");
    }
    if (happens()) {
      if (world.random.nextBoolean()) {
        world.say(what + " is stuck and arrives late");
        arriveLater(request);
      }
      travel();
      throw new LockException(LockException.Code.NETWORK_TIMEOUT, what + " was lost");
    }
    T result = request.get();
    world.say(what + " -> " + result);
    tripsNanos.put(id, world.time.nanos() - sentNanos);
    if (happens()) {
      world.say(what + " arrives twice");
      // No lock is safe from a copy of a request that was answered long ago, so such ids prove
      // nothing.
      copied.add(id);
      arriveLater(request);
    }
    travel();
    if (happens()) {
      throw new LockException(
          LockException.Code.SERVICE_UNAVAILABLE, "the reply to " + what + " was lost");
    }
    return result;
  }

  private <T> void arriveLater(Supplier<T> request) {
    network.after(Duration.ofMillis(world.random.nextInt(5_000)), () -> {
      T unused = request.get();
    });
  }

  private void travel() {
    if (world.random.nextInt(4) == 0) {
      world.sleep(Duration.ofNanos(world.random.nextInt(20_000_000)));
    } else {
      world.hesitate();
    }
  }

  private boolean happens() {
    return !world.isCalm() && world.random.nextDouble() < unreliability;
  }

  @Override
  public AcquireResult acquire(LockKey key, LockId id, Ttl ttl, Cancellation cancellation) {
    cancellation.throwIfCancelled();
    return send(id, "acquire " + id, () -> store.acquire(key, id, ttl, Cancellation.none()));
  }

  @Override
  public ReleaseResult release(LockId id, Cancellation cancellation) {
    return send(id, "release " + id, () -> store.release(id, Cancellation.none()));
  }

  @Override
  public ExtendResult extend(LockId id, Ttl ttl, Cancellation cancellation) {
    return send(id, "extend " + id, () -> store.extend(id, ttl, Cancellation.none()));
  }

  @Override
  public boolean isLocked(LockKey key, Cancellation cancellation) {
    return store.isLocked(key, cancellation);
  }

  @Override
  public Optional<LockInfoDebug> lookupRaw(LockQuery query, Cancellation cancellation) {
    return store.lookupRaw(query, cancellation);
  }

  @Override
  public Capabilities capabilities() {
    return store.capabilities();
  }

  @Override
  public Optional<WaitingLine> waitingLine() {
    return store
        .waitingLine()
        .map(line ->
            (key, id, wakeUp) -> new RemotePlace(line.join(key, id, sometimes(wakeUp)), id));
  }

  private Runnable sometimes(Runnable wakeUp) {
    return () -> {
      if (!happens()) {
        wakeUp.run();
      }
    };
  }

  private final class RemotePlace implements WaitingLine.Place {
    private final WaitingLine.Place place;
    private final LockId id;

    RemotePlace(WaitingLine.Place place, LockId id) {
      this.place = place;
      this.id = id;
    }

    @Override
    public AcquireResult attempt(Ttl ttl, Cancellation cancellation) {
      cancellation.throwIfCancelled();
      return send(id, "attempt " + id, () -> place.attempt(ttl, Cancellation.none()));
    }

    @Override
    public AcquireResult takeOver(LockId from, Ttl ttl) {
      return send(id, "take over from " + from + " by " + id, () -> place.takeOver(from, ttl));
    }

    @Override
    public Duration patience() {
      return place.patience();
    }

    @Override
    public void close() {
      place.close();
    }
  }

  @Override
  public void close() {}
}
