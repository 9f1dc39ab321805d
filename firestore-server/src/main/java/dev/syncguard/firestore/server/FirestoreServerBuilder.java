package dev.syncguard.firestore.server;

import static java.lang.System.Logger.Level.WARNING;

import com.linecorp.armeria.common.grpc.GrpcSerializationFormats;
import com.linecorp.armeria.common.metric.NoopMeterRegistry;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.grpc.GrpcService;
import dev.syncguard.firestore.server.auth.ActiveRules;
import dev.syncguard.firestore.server.auth.Authorizer;
import dev.syncguard.firestore.server.auth.RulesAuthorizer;
import dev.syncguard.firestore.server.auth.RulesFileWatch;
import dev.syncguard.firestore.server.durability.DataDirectory;
import dev.syncguard.firestore.server.durability.Fsync;
import dev.syncguard.firestore.server.grpc.FirestoreGrpcService;
import dev.syncguard.firestore.server.grpc.GrpcErrors;
import dev.syncguard.firestore.server.http.AmbiguousRequests;
import dev.syncguard.firestore.server.http.Connections;
import dev.syncguard.firestore.server.http.CrossOrigin;
import dev.syncguard.firestore.server.http.HostCheck;
import dev.syncguard.firestore.server.http.IoThreads;
import dev.syncguard.firestore.server.http.Origins;
import dev.syncguard.firestore.server.http.RequestBudget;
import dev.syncguard.firestore.server.index.IndexConfiguration;
import dev.syncguard.firestore.server.listen.Listeners;
import dev.syncguard.firestore.server.name.DatabaseName;
import dev.syncguard.firestore.server.operation.Databases;
import dev.syncguard.firestore.server.operation.Databases.Served;
import dev.syncguard.firestore.server.operation.Operations;
import dev.syncguard.firestore.server.query.IndexCheck;
import dev.syncguard.firestore.server.query.IndexRequirement;
import dev.syncguard.firestore.server.rest.EmulatorService;
import dev.syncguard.firestore.server.rest.FirestoreRestService;
import dev.syncguard.firestore.server.rest.LocalAdministrator;
import dev.syncguard.firestore.server.rest.RulesRoutes;
import dev.syncguard.firestore.server.rest.ServiceErrors;
import dev.syncguard.firestore.server.rules.Compilation;
import dev.syncguard.firestore.server.rules.Rules;
import dev.syncguard.firestore.server.rules.RulesFile;
import dev.syncguard.firestore.server.rules.report.ProblemText;
import dev.syncguard.firestore.server.store.Database;
import dev.syncguard.firestore.server.store.Database.HistoryLimits;
import dev.syncguard.firestore.server.store.Journal;
import dev.syncguard.firestore.server.transaction.Concurrency;
import dev.syncguard.firestore.server.transaction.TransactionSettings;
import dev.syncguard.firestore.server.transaction.Transactions;
import dev.syncguard.firestore.server.ttl.ExpirySweep;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The settings of a server that is about to start. Not for use by several threads. */
public final class FirestoreServerBuilder {
  private static final System.Logger log = System.getLogger(FirestoreServerBuilder.class.getName());
  private static final int MAX_REQUEST_BYTES = 16 << 20;
  /** Every how many-th connection is kept free, for those that come while the slowest are being closed. */
  private static final int RESERVED_PART = 10;

  private static final int MAX_STREAMS_PER_CONNECTION = 1000;
  private static final int LISTENER_THREADS = 64;
  private static final int IO_THREADS =
      Math.max(2, Math.min(8, Runtime.getRuntime().availableProcessors()));

  private InetAddress address = InetAddress.getLoopbackAddress();
  private int port;
  private final Set<String> hosts =
      new HashSet<>(Set.of("localhost", "127.0.0.1", "::1", "0:0:0:0:0:0:0:1"));
  private final Set<String> origins = new HashSet<>();
  private Authorizer authorizer = Authorizer.ownerOnly();
  private Function<ActiveRules, Runnable> rules = active -> () -> {};
  private boolean administratorFromAnywhere;
  private IndexConfiguration indexes = IndexConfiguration.NONE;
  private boolean strictIndexes;
  private Concurrency concurrency = Concurrency.PESSIMISTIC;
  private Duration lockTimeout = TransactionSettings.DEFAULT.lockTimeout();
  private @Nullable Path directory;
  private Fsync fsync = Fsync.EVERY_COMMIT;
  private long compactAfterBytes = 64L << 20;
  private Duration requestTimeout = Duration.ofSeconds(60);
  private int maxConnections = 2000;
  private InstantSource time = InstantSource.system();
  private long budgetBytes =
      Math.max(2L * MAX_REQUEST_BYTES, Runtime.getRuntime().maxMemory() / 8);

  FirestoreServerBuilder() {}

  /** Sets the port. The default is 0, which takes any that is free. */
  public FirestoreServerBuilder port(int value) {
    if (value < 0 || value > 65_535) {
      throw new IllegalArgumentException("port must be 0 to 65535, but was " + value);
    }
    this.port = value;
    return this;
  }

  /**
   * Sets the address to listen on. The default is loopback; any other lets everybody in who can reach it, so it is said
   * loudly when the server starts. Requests must name one of the hosts, of which these are more than the defaults.
   */
  public FirestoreServerBuilder address(InetAddress value, String... hostNames) {
    this.address = Objects.requireNonNull(value, "address");
    hosts.add(value.getHostAddress().toLowerCase(Locale.ROOT));
    for (String host : hostNames) {
      hosts.add(host.toLowerCase(Locale.ROOT));
    }
    return this;
  }

  /**
   * Adds names that clients reach the server by: of a container, of this machine in its network, or {@code 10.0.2.2} for
   * phones in an emulator. A request that names another host is refused. Those of loopback and the address that a request
   * arrives at are always allowed.
   */
  public FirestoreServerBuilder allowHosts(String... names) {
    for (String name : names) {
      if (!name.matches("[A-Za-z0-9._:-]+") || name.matches("[^:]*:[^:]*")) {
        throw new IllegalArgumentException(
            "A host is a name or an address without a port, but was " + name);
      }
      hosts.add(name.toLowerCase(Locale.ROOT));
    }
    return this;
  }

  /**
   * Adds origins, like {@code https://app.example:8443}, whose web pages may use the server, also as the administrator.
   * Pages of localhost may always; those of all others are refused.
   */
  public FirestoreServerBuilder allowOrigins(String... values) {
    for (String value : values) {
      origins.add(Origins.checked(value));
    }
    return this;
  }

  /**
   * Sets who may do what where there are no rules. The default lets in only the administrator: whoever sends
   * {@code Bearer owner}, as the server SDKs do.
   */
  public FirestoreServerBuilder authorizer(Authorizer value) {
    this.authorizer = Objects.requireNonNull(value, "authorizer");
    return this;
  }

  /**
   * Sets the security rules for everybody but the administrator. The default is none, and then the authorizer decides. A
   * client may still load other rules for a project, as it can with the emulator.
   */
  public FirestoreServerBuilder rules(String source) {
    Rules compiled = compiled("rules", source);
    this.rules = active -> {
      active.replace(compiled);
      return () -> {};
    };
    return this;
  }

  /**
   * Takes the security rules from a file, and again whenever it changes. While it does not compile the last good rules
   * stay, and the log says so.
   */
  public FirestoreServerBuilder rules(Path file) {
    return rules(file, FirestoreServerBuilder::logReload);
  }

  /** Takes the security rules from a file, and tells somebody else than the log what becomes of it, now and later. */
  public FirestoreServerBuilder rules(Path file, Consumer<RulesFileWatch.Reload> observer) {
    try {
      compiled(file.toString(), Files.readString(file));
    } catch (IOException e) {
      throw new IllegalArgumentException("The file of rules cannot be read: " + file, e);
    }
    this.rules = active -> {
      RulesFileWatch watch = new RulesFileWatch(file, active, observer);
      watch.look();
      return watch::look;
    };
    return this;
  }

  private static Rules compiled(String name, String source) {
    Compilation compilation = RulesFile.compile(source);
    return compilation
        .rules()
        .orElseThrow(() -> new IllegalArgumentException("The security rules do not compile:\n"
            + new ProblemText(name, source).of(compilation.errors())));
  }

  private static void logReload(RulesFileWatch.Reload reload) {
    if (!reload.applied()) {
      log.log(WARNING, () -> "The security rules stay as they were:\n" + reload.problems());
    } else if (!reload.problems().isEmpty()) {
      log.log(WARNING, () -> "The security rules hold, but:\n" + reload.problems());
    }
  }

  /**
   * Sets whether clients on other machines can be the administrator, too. The default is false: then {@code Bearer owner}
   * and the emulator's endpoints count only on this machine, because everybody knows them.
   */
  public FirestoreServerBuilder administratorFromAnywhere(boolean value) {
    this.administratorFromAnywhere = value;
    return this;
  }

  /** Sets exemptions, composite indexes and times to live. The default has none. */
  public FirestoreServerBuilder indexes(IndexConfiguration value) {
    this.indexes = Objects.requireNonNull(value, "indexes");
    return this;
  }

  /** Refuses queries for which production would want an index that is not configured. The default runs any query. */
  public FirestoreServerBuilder strictIndexes(boolean value) {
    this.strictIndexes = value;
    return this;
  }

  /** Sets how transactions meet that do not say it themselves. The default is pessimistic. */
  public FirestoreServerBuilder concurrency(Concurrency value) {
    this.concurrency = Objects.requireNonNull(value, "concurrency");
    return this;
  }

  /** Sets how long a write waits for a transaction that does nothing. The default is 2 seconds. */
  public FirestoreServerBuilder lockTimeout(Duration value) {
    if (value.isNegative() || value.isZero()) {
      throw new IllegalArgumentException("lockTimeout must be positive, but was " + value);
    }
    this.lockTimeout = value;
    return this;
  }

  /** Keeps everything in the directory over restarts. By default all is gone when the server is closed. */
  public FirestoreServerBuilder dataDirectory(Path value) {
    this.directory = Objects.requireNonNull(value, "dataDirectory");
    return this;
  }

  /** Sets when a commit counts as safe in the data directory. The default is when it is on disk. */
  public FirestoreServerBuilder fsync(Fsync value) {
    this.fsync = Objects.requireNonNull(value, "fsync");
    return this;
  }

  /** Sets the size from which on a log is replaced by a snapshot. The default is 64 MiB. */
  public FirestoreServerBuilder compactAfterBytes(long value) {
    if (value < 1) {
      throw new IllegalArgumentException("compactAfterBytes must be positive, but was " + value);
    }
    this.compactAfterBytes = value;
    return this;
  }

  /**
   * Sets how long a request may take to arrive, a stream to send its first message, and then an answer over REST to be made and
   * taken; calls over gRPC have ten times as long for that, listeners as long as they like. The default is 60 seconds.
   */
  public FirestoreServerBuilder requestTimeout(Duration value) {
    if (value.isNegative() || value.isZero()) {
      throw new IllegalArgumentException("requestTimeout must be positive, but was " + value);
    }
    this.requestTimeout = value;
    return this;
  }

  /** Sets the clock of commits, reads and times to live. The default is the system's. */
  public FirestoreServerBuilder time(InstantSource value) {
    this.time = Objects.requireNonNull(value, "time");
    return this;
  }

  /** Sets how many connections there may be at once. The default is 2,000. */
  FirestoreServerBuilder maxConnections(int value) {
    this.maxConnections = value;
    return this;
  }

  /** Sets how many bytes of requests and answers there may be at once. The default is an eighth of the heap. */
  FirestoreServerBuilder budgetBytes(long value) {
    this.budgetBytes = value;
    return this;
  }

  /** Starts the server and returns it once it answers. */
  public FirestoreServer start() {
    DataDirectory data =
        directory == null ? null : DataDirectory.open(directory, fsync, compactAfterBytes);
    try {
      return start(data);
    } catch (RuntimeException e) {
      if (data != null) {
        data.close();
      }
      throw e;
    }
  }

  private FirestoreServer start(@Nullable DataDirectory data) {
    SecureRandom random = new SecureRandom();
    Databases databases = new Databases(name -> open(name, data, random.nextLong()), name -> {
      if (data != null) {
        data.delete(name);
      }
    });
    if (data != null) {
      data.names().forEach(databases::get);
    }
    CompletableFuture<Void> stopRequested = new CompletableFuture<>();
    ExecutorService executor = threads();
    ActiveRules active = new ActiveRules();
    Listeners listeners = new Listeners(time);
    active.observe(listeners::authorizeAgain);
    Runnable reload = rules.apply(active);
    Server server = http(databases, active, listeners, executor, stopRequested, random);
    try {
      server.start().join();
    } catch (RuntimeException e) {
      executor.shutdownNow();
      throw e;
    }
    if (!address.isLoopbackAddress()) {
      log.log(
          WARNING,
          () -> "Listening beyond this machine, on " + address.getHostAddress()
              + ": everybody who can reach it can try to use it");
    }
    ExpirySweep sweep = indexes.timesToLive().isEmpty()
        ? null
        : new ExpirySweep(databases, indexes.timesToLive(), time);
    FirestoreServer started = new FirestoreServer(
        server,
        databases,
        data,
        sweep,
        List.of(reload, listeners::expire),
        executor,
        stopRequested);
    started.scheduleUpkeep();
    return started;
  }

  private Served open(DatabaseName name, @Nullable DataDirectory data, long issuer) {
    Database database = data == null
        ? database(name, Journal.NONE)
        : data.open(name, journal -> database(name, journal));
    TransactionSettings settings = new TransactionSettings(
        concurrency,
        lockTimeout,
        TransactionSettings.DEFAULT.idleTimeout(),
        TransactionSettings.DEFAULT.totalTimeout());
    return new Served(database, new Transactions(database, settings, System::nanoTime, issuer));
  }

  private Database database(DatabaseName name, Journal journal) {
    return new Database(name, journal, time, indexes, HistoryLimits.DEFAULT);
  }

  private Server http(
      Databases databases,
      ActiveRules active,
      Listeners listeners,
      ExecutorService executor,
      CompletableFuture<Void> stopRequested,
      SecureRandom random) {
    IndexCheck indexCheck = strictIndexes ? new IndexRequirement(indexes) : IndexCheck.NONE;
    Operations operations =
        Operations.of(databases, new RulesAuthorizer(active, authorizer), indexCheck, random);
    FirestoreGrpcService service = new FirestoreGrpcService(operations, listeners, executor);
    GrpcService grpc = GrpcService.builder()
        .addService(service)
        .addService("/google.firestore.v1beta1.Firestore", service)
        .maxRequestMessageLength(MAX_REQUEST_BYTES)
        .useBlockingTaskExecutor(true)
        .exceptionHandler(GrpcErrors::status)
        // JSON has its own service; Armeria's would generate code for every message at the start.
        .supportedSerializationFormats(GrpcSerializationFormats.PROTO)
        .build();
    EmulatorService emulator =
        new EmulatorService(databases, new RulesRoutes(active), () -> stopRequested.complete(null));
    // Whoever is served is told that it was too slow, before the connection is closed.
    AmbiguousRequests ambiguous = new AmbiguousRequests(requestTimeout.plusSeconds(1));
    Connections connections =
        new Connections(maxConnections - maxConnections / RESERVED_PART, requestTimeout);
    ServerBuilder builder = Server.builder()
        .http(new InetSocketAddress(address, port))
        .meterRegistry(NoopMeterRegistry.get()) // the shared one complains about a second server
        .maxNumConnections(maxConnections)
        .http2MaxStreamsPerConnection(MAX_STREAMS_PER_CONNECTION)
        .maxRequestLength(MAX_REQUEST_BYTES)
        // Listeners stay for as long as they like; what else takes too long is ended below.
        .requestTimeout(Duration.ZERO)
        .bossGroupFactory(name -> IoThreads.create("firestore-accept", 1))
        .workerGroup(IoThreads.create("firestore-io", IO_THREADS), true)
        .blockingTaskExecutor(new RequestThreads(), true)
        .errorHandler(new ServiceErrors())
        .service(grpc)
        .serviceUnder("/", emulator)
        .decorator(new LocalAdministrator(administratorFromAnywhere))
        .decorator(new RequestBudget(budgetBytes))
        .decorator(new HostCheck(hosts))
        .decorator(new CrossOrigin(new Origins(origins)))
        .decorator(ambiguous)
        .decorator(connections)
        .childChannelPipelineCustomizer(ambiguous::watch)
        .childChannelPipelineCustomizer(connections::add);
    builder
        .route()
        .pathPrefix("/v1/")
        .pathPrefix("/v1beta1/")
        .build(new FirestoreRestService(operations));
    return builder.build();
  }

  private static ExecutorService threads() {
    ThreadPoolExecutor threads = new ThreadPoolExecutor(
        LISTENER_THREADS,
        LISTENER_THREADS,
        10,
        TimeUnit.SECONDS,
        new LinkedBlockingQueue<>(),
        DaemonThreads.named("firestore-listener"));
    threads.allowCoreThreadTimeOut(true);
    // Once the server is closed nobody listens any more, and a commit must not fail for that.
    threads.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
    return threads;
  }
}
