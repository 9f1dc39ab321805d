package dev.syncguard.firestore.server;

import static java.lang.System.Logger.Level.WARNING;

import com.linecorp.armeria.server.Server;
import dev.syncguard.firestore.server.durability.DataDirectory;
import dev.syncguard.firestore.server.durability.Recovery;
import dev.syncguard.firestore.server.export.Exports;
import dev.syncguard.firestore.server.name.DatabaseName;
import dev.syncguard.firestore.server.operation.Databases;
import dev.syncguard.firestore.server.operation.Databases.Served;
import dev.syncguard.firestore.server.store.Database;
import dev.syncguard.firestore.server.trigger.Triggers;
import dev.syncguard.firestore.server.ttl.ExpirySweep;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A Firestore inside this JVM, which speaks gRPC and REST on one port until it is closed. Thread-safe.
 *
 * <pre>{@code
 * try (FirestoreServer server = FirestoreServer.builder().start()) {
 *   FirestoreOptions options = FirestoreOptions.newBuilder().setProjectId("demo")
 *       .setEmulatorHost(server.emulatorHost()).build();
 * }
 * }</pre>
 */
public final class FirestoreServer implements AutoCloseable {
  private static final System.Logger log = System.getLogger(FirestoreServer.class.getName());

  /** The version of the emulator whose format exports have; tools only show it. */
  private static final String VERSION = "1.22.0";

  private static final int UPKEEP_THREADS = 4;

  private final Server server;
  private final Databases databases;
  private final Exports exports;
  private final Triggers triggers;
  private final Runnable reset;
  private final @Nullable DataDirectory directory;
  private final @Nullable ExpirySweep sweep;
  private final List<Runnable> chores;
  private final ExecutorService executor;
  private final ScheduledExecutorService timer;
  private final CompletableFuture<Void> stopRequested;

  /**
   * @param reset makes all databases as they were at the start
   * @param chores what else has to be done about once a second
   */
  FirestoreServer(
      Server server,
      Databases databases,
      Exports exports,
      Triggers triggers,
      Runnable reset,
      @Nullable DataDirectory directory,
      @Nullable ExpirySweep sweep,
      List<Runnable> chores,
      ExecutorService executor,
      CompletableFuture<Void> stopRequested) {
    this.server = server;
    this.databases = databases;
    this.exports = exports;
    this.triggers = triggers;
    this.reset = reset;
    this.directory = directory;
    this.sweep = sweep;
    this.chores = chores;
    this.executor = executor;
    this.stopRequested = stopRequested;
    this.timer =
        Executors.newScheduledThreadPool(UPKEEP_THREADS, DaemonThreads.named("firestore-timer"));
  }

  /** Returns a builder with every setting at its default. */
  public static FirestoreServerBuilder builder() {
    return new FirestoreServerBuilder();
  }

  void scheduleUpkeep() {
    everySecond(() -> databases.all().forEach(served -> served.transactions().expire()));
    if (directory != null) {
      everySecond(directory::maintain);
    }
    if (sweep != null) {
      everySecond(sweep::run);
    }
    chores.forEach(this::everySecond);
  }

  // Each on its own: one that takes long must not keep the others, least of all the end of dead
  // transactions, which hold up writers.
  private void everySecond(Runnable chore) {
    var unused = timer.scheduleWithFixedDelay(() -> upkeep(chore), 1, 1, TimeUnit.SECONDS);
  }

  private static void upkeep(Runnable chore) {
    try {
      chore.run();
    } catch (Throwable e) {
      // Whatever a task throws, it would not be run again; the next second is a new chance.
      log.log(WARNING, () -> "Upkeep failed; it will be tried again", e);
    }
  }

  /** Returns the port that the server listens on. */
  public int port() {
    return server.activeLocalPort();
  }

  /** Returns what clients want in {@code FIRESTORE_EMULATOR_HOST}. */
  public String emulatorHost() {
    InetSocketAddress address = server.activePort().localAddress();
    boolean everywhere = address.getAddress().isAnyLocalAddress();
    String host = everywhere ? "127.0.0.1" : address.getAddress().getHostAddress();
    return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + address.getPort();
  }

  /** Deletes every document of every database and ends all transactions. */
  public void clear() {
    endTransactions();
    databases.all().forEach(served -> served.database().clear("", false));
  }

  /** Deletes every document of every database, ends all transactions, and imports again what databases begin with. */
  public void reset() {
    reset.run();
  }

  /**
   * Writes the default database of a project to a directory, which is made if need be, in the format of the official
   * emulator: {@link FirestoreServerBuilder#importFrom} takes it, and so do {@code firebase emulators:start --import} and
   * the import of production. An export that is already there is replaced once the new one is complete.
   *
   * @return how many documents there are
   */
  public long exportTo(Path directory, String project) {
    return exports.writeForFirebase(project, directory, VERSION);
  }

  /**
   * Returns whether every event so far was handled by its triggers, or given up, within the time; for tests that look at
   * what a trigger has done.
   */
  public boolean awaitTriggers(Duration patience) throws InterruptedException {
    long end = System.nanoTime() + patience.toNanos();
    while (!triggers.isIdle()) {
      if (System.nanoTime() - end >= 0) {
        return false;
      }
      TimeUnit.MILLISECONDS.sleep(5);
    }
    return true;
  }

  /** Returns the databases that hold documents. */
  public List<DatabaseName> databases() {
    return databases.all().stream()
        .map(Served::database)
        .filter(database -> !database.isEmpty())
        .map(Database::name)
        .toList();
  }

  private void endTransactions() {
    databases.all().forEach(served -> served.transactions().endAll());
  }

  /** Deletes documents that have expired by a TTL policy, and returns how many that were. */
  public int removeExpired() {
    return sweep == null ? 0 : sweep.run();
  }

  /** Returns what was found in the data directory, for each database. */
  public List<Recovery> recoveries() {
    return Optional.ofNullable(directory).map(DataDirectory::recoveries).orElse(List.of());
  }

  /** Returns a future that is done when a client has asked the server to stop; whoever started it should then close it. */
  public CompletableFuture<Void> stopRequested() {
    return stopRequested.copy();
  }

  /** Ends all requests and gives the port back. What a data directory keeps is safe afterwards. */
  @Override
  public void close() {
    timer.shutdown(); // without interrupting: that would close the files somebody reads
    endTransactions(); // or a request that waits for one would hold us up
    server.stop().join();
    executor.shutdownNow();
    endTransactions();
    try (DataDirectory closing = directory) { // given back whatever happens
      triggers.close();
    }
  }
}
