package dev.syncguard.sync.jvm;

import dev.syncguard.sync.Clocks;
import dev.syncguard.sync.Listener;
import dev.syncguard.sync.MutualExclusion;
import dev.syncguard.sync.PersistenceSync;
import dev.syncguard.sync.Random;
import dev.syncguard.sync.ResetOutcome;
import dev.syncguard.sync.SharedStore;
import dev.syncguard.sync.StartOutcome;
import dev.syncguard.sync.SyncConfig;
import dev.syncguard.sync.SyncPorts;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * A device of a reader that is a directory: the engine with everything around it, for programs that block.
 *
 * <p>One program at a time may have it open. The engine lives on a thread of its own, which {@link #call} goes to.
 * Thread-safe.
 */
public final class ReaderDevice implements AutoCloseable {

  private static final long PATIENCE_SECONDS = 10;

  private final EngineThread thread = new EngineThread();
  private final FileStore store;
  private final CompletableFuture<Boolean> closed = new CompletableFuture<>();
  private final PersistenceSync engine;

  private ReaderDevice(
      SyncConfig config, FileStore store, ReaderIdentity identity, Listener listener) {
    this.store = store;
    this.engine = new PersistenceSync(
        config,
        new SyncPorts(
            new JavaHttp(thread),
            thread,
            new MachineTime(),
            store,
            SharedStore.none(),
            alone(),
            identity.on(thread),
            new SecureChance(),
            listener));
  }

  /**
   * Opens the device in this directory, which is created if it is missing. Nothing is sent before {@link #start}.
   *
   * @throws DeviceBusyException if another program has it open
   */
  public static ReaderDevice open(
      SyncConfig config, Path directory, ReaderIdentity identity, Listener listener) {
    FileStore store = FileStore.open(directory);
    try {
      return new ReaderDevice(config, store, identity, listener);
    } catch (RuntimeException e) {
      store.close();
      throw e;
    }
  }

  /** Brings in what other devices know and keeps syncing until {@link #close}; waits for the first at most 5 seconds. */
  public StartOutcome start() throws InterruptedException {
    return await(PersistenceSync::start);
  }

  /** Brings in what other devices have changed since, and waits for it. */
  public void pull() throws InterruptedException {
    await((sync, done) -> sync.pull(() -> done.accept(true)));
  }

  /** Pushes what has changed here as soon as limits allow, and waits for it. */
  public void flush() throws InterruptedException {
    await((sync, done) -> sync.flush(() -> done.accept(true)));
  }

  /** Empties the state here and, if that is possible now, everywhere. Afterwards the device must be opened anew. */
  public ResetOutcome reset() throws InterruptedException {
    return await(PersistenceSync::reset);
  }

  /** Uses the engine on its thread and returns what that gave. */
  public <T> T call(Function<? super PersistenceSync, T> use) throws InterruptedException {
    return thread.call(() -> use.apply(engine));
  }

  private <T> T await(BiConsumer<PersistenceSync, Consumer<T>> begin) throws InterruptedException {
    CompletableFuture<T> done = new CompletableFuture<>();
    call(sync -> {
      begin.accept(sync, done::complete);
      return true;
    });
    try {
      while (!done.isDone() && !closed.isDone()) {
        awaitBriefly(CompletableFuture.anyOf(done, closed));
        // An engine whose store fails does not stop, but it may never be done either.
        store.requireDirectory();
      }
      if (!done.isDone()) {
        throw new IllegalStateException("This device was closed; open it again");
      }
      return done.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("The engine failed", e);
    }
  }

  private static void awaitBriefly(CompletableFuture<?> either)
      throws InterruptedException, ExecutionException {
    try {
      either.get(1, TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      // Not yet.
    }
  }

  /** Ends the session. What was not pushed yet stays marked and is pushed by the next one. */
  @Override
  public void close() {
    if (!closed.complete(true)) {
      return;
    }
    thread.execute(() -> {
      engine.stop();
      store.close();
    });
    thread.close(PATIENCE_SECONDS, TimeUnit.SECONDS);
  }

  /** The directory is ours alone, and with it everything that tabs would have to agree about. */
  private static MutualExclusion alone() {
    return (name, outcome) -> outcome.entered(() -> {});
  }

  private static final class MachineTime implements Clocks {
    @Override
    public long wallMillis() {
      return System.currentTimeMillis();
    }

    @Override
    public long monotonicMillis() {
      return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
    }
  }

  private static final class SecureChance implements Random {
    private final SecureRandom random = new SecureRandom();

    @Override
    public String uuid() {
      return UUID.randomUUID().toString();
    }

    @Override
    public int below(int bound) {
      return random.nextInt(bound);
    }
  }
}
