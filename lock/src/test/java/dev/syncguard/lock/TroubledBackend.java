package dev.syncguard.lock;

import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.Capabilities;
import dev.syncguard.lock.spi.ExtendResult;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.spi.LockQuery;
import dev.syncguard.lock.spi.ReleaseResult;
import dev.syncguard.lock.spi.WaitingLine;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A real backend whose calls go wrong when a test says so, and that remembers what was called. */
final class TroubledBackend implements LockBackend {

  enum Call {
    ACQUIRE,
    TAKE_OVER,
    RELEASE,
    EXTEND
  }

  /** What happens to one call; {@code real} does what was asked for. */
  interface Trouble {
    <T> T on(Supplier<T> real);
  }

  private final LockBackend backend;
  private final boolean hasLine;
  private final Map<Call, Queue<Trouble>> troubles = new HashMap<>();
  final List<Call> calls = Collections.synchronizedList(new ArrayList<>());

  private volatile boolean lastRefused;
  private Consumer<LockId> listener = id -> {};

  TroubledBackend(LockBackend backend) {
    this(backend, true);
  }

  TroubledBackend(LockBackend backend, boolean hasLine) {
    this.backend = backend;
    this.hasLine = hasLine;
  }

  /** Lets the next such call, for which nothing is planned yet, go wrong. */
  synchronized TroubledBackend next(Call call, Trouble trouble) {
    troubles.computeIfAbsent(call, c -> new ArrayDeque<>()).add(trouble);
    return this;
  }

  /** Lets such calls, for which something is planned, go right. */
  synchronized void forget(Call call) {
    troubles.remove(call);
  }

  /** Returns whether the last one in line that asked was told to wait. */
  boolean lastRefused() {
    return lastRefused;
  }

  /** Tells under which ids the key is asked for. */
  void onAcquire(Consumer<LockId> listener) {
    this.listener = listener;
  }

  static Trouble requestLost(LockException.Code code) {
    return new Trouble() {
      @Override
      public <T> T on(Supplier<T> real) {
        throw new LockException(code, "lost on its way to the store");
      }
    };
  }

  static Trouble replyLost(LockException.Code code) {
    return new Trouble() {
      @Override
      public <T> T on(Supplier<T> real) {
        T unused = real.get();
        throw new LockException(code, "lost on its way back");
      }
    };
  }

  static Trouble after(Runnable first) {
    return new Trouble() {
      @Override
      public <T> T on(Supplier<T> real) {
        first.run();
        return real.get();
      }
    };
  }

  static Trouble before(Runnable later) {
    return new Trouble() {
      @Override
      public <T> T on(Supplier<T> real) {
        T result = real.get();
        later.run();
        return result;
      }
    };
  }

  private <T> T call(Call call, Supplier<T> real) {
    calls.add(call);
    Trouble trouble;
    synchronized (this) {
      Queue<Trouble> planned = troubles.get(call);
      trouble = planned == null ? null : planned.poll();
    }
    return trouble == null ? real.get() : trouble.on(real);
  }

  @Override
  public AcquireResult acquire(LockKey key, LockId id, Ttl ttl, Cancellation cancellation) {
    listener.accept(id);
    return call(Call.ACQUIRE, () -> backend.acquire(key, id, ttl, cancellation));
  }

  @Override
  public ReleaseResult release(LockId id, Cancellation cancellation) {
    return call(Call.RELEASE, () -> backend.release(id, cancellation));
  }

  @Override
  public ExtendResult extend(LockId id, Ttl ttl, Cancellation cancellation) {
    return call(Call.EXTEND, () -> backend.extend(id, ttl, cancellation));
  }

  @Override
  public boolean isLocked(LockKey key, Cancellation cancellation) {
    return backend.isLocked(key, cancellation);
  }

  @Override
  public Optional<LockInfoDebug> lookupRaw(LockQuery query, Cancellation cancellation) {
    return backend.lookupRaw(query, cancellation);
  }

  @Override
  public Capabilities capabilities() {
    return backend.capabilities();
  }

  @Override
  public Optional<WaitingLine> waitingLine() {
    return hasLine ? backend.waitingLine().map(this::troubled) : Optional.empty();
  }

  private WaitingLine troubled(WaitingLine line) {
    return (key, id, wakeUp) -> {
      WaitingLine.Place place = line.join(key, id, wakeUp);
      return new WaitingLine.Place() {
        @Override
        public AcquireResult attempt(Ttl ttl, Cancellation cancellation) {
          listener.accept(id);
          AcquireResult result = call(Call.ACQUIRE, () -> place.attempt(ttl, cancellation));
          lastRefused = result instanceof AcquireResult.Contended;
          return result;
        }

        @Override
        public AcquireResult takeOver(LockId from, Ttl ttl) {
          return call(Call.TAKE_OVER, () -> place.takeOver(from, ttl));
        }

        @Override
        public Duration patience() {
          return place.patience();
        }

        @Override
        public void close() {
          place.close();
        }
      };
    };
  }

  @Override
  public void close() {
    backend.close();
  }
}
