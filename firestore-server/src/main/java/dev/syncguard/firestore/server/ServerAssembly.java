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
import dev.syncguard.firestore.server.durability.DataDirectory;
import dev.syncguard.firestore.server.export.Exports;
import dev.syncguard.firestore.server.grpc.FirestoreGrpcService;
import dev.syncguard.firestore.server.grpc.GrpcErrors;
import dev.syncguard.firestore.server.http.AmbiguousRequests;
import dev.syncguard.firestore.server.http.ArrivingRequests;
import dev.syncguard.firestore.server.http.Connections;
import dev.syncguard.firestore.server.http.CrossOrigin;
import dev.syncguard.firestore.server.http.HostCheck;
import dev.syncguard.firestore.server.http.IoThreads;
import dev.syncguard.firestore.server.http.Origins;
import dev.syncguard.firestore.server.http.RequestBudget;
import dev.syncguard.firestore.server.inspect.InspectService;
import dev.syncguard.firestore.server.inspect.RequestLog;
import dev.syncguard.firestore.server.inspect.RequestRecorder;
import dev.syncguard.firestore.server.listen.Listeners;
import dev.syncguard.firestore.server.name.DatabaseName;
import dev.syncguard.firestore.server.operation.Databases;
import dev.syncguard.firestore.server.operation.Databases.Served;
import dev.syncguard.firestore.server.operation.Operations;
import dev.syncguard.firestore.server.query.IndexCheck;
import dev.syncguard.firestore.server.query.IndexRequirement;
import dev.syncguard.firestore.server.rest.EmulatorService;
import dev.syncguard.firestore.server.rest.ExportRoutes;
import dev.syncguard.firestore.server.rest.FirestoreRestService;
import dev.syncguard.firestore.server.rest.FunctionRoutes;
import dev.syncguard.firestore.server.rest.LocalAdministrator;
import dev.syncguard.firestore.server.rest.RulesRoutes;
import dev.syncguard.firestore.server.rest.ServiceErrors;
import dev.syncguard.firestore.server.store.Database;
import dev.syncguard.firestore.server.store.Database.HistoryLimits;
import dev.syncguard.firestore.server.store.Journal;
import dev.syncguard.firestore.server.transaction.TransactionSettings;
import dev.syncguard.firestore.server.transaction.Transactions;
import dev.syncguard.firestore.server.trigger.Functions;
import dev.syncguard.firestore.server.trigger.Progress;
import dev.syncguard.firestore.server.trigger.Triggers;
import dev.syncguard.firestore.server.ttl.ExpirySweep;
import dev.syncguard.firestore.server.webchannel.WebChannels;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Puts a server together from its settings. */
final class ServerAssembly {
  private static final System.Logger log = System.getLogger(ServerAssembly.class.getName());

  /** Which part of the budget for requests and answers web clients may have for what they do not take. */
  private static final int CHANNELS_PART = 4;
  /** Which part of the heap the names of what listeners know may take. */
  private static final int LISTENERS_PART = 4;

  /** As Google's servers do, so that whoever needs more notices it here. */
  private static final int MAX_STREAMS_PER_CONNECTION = 100;

  private static final int LISTENER_THREADS = 64;
  private static final int IO_THREADS =
      Math.max(2, Math.min(8, Runtime.getRuntime().availableProcessors()));

  private final FirestoreServerBuilder settings;

  ServerAssembly(FirestoreServerBuilder settings) {
    this.settings = settings;
  }

  FirestoreServer start(@Nullable DataDirectory data) {
    SecureRandom random = new SecureRandom();
    Triggers told = new Triggers(
        settings.triggers,
        settings.functionsEmulator != null,
        DaemonThreads.named("firestore-trigger"),
        data == null ? Progress.forgotten() : Progress.in(data.triggersFile()));
    Databases databases = new Databases(
        name -> open(name, data, random.nextLong(), told), told::areDoneWith, name -> {
          told.forget(name);
          if (data != null) {
            data.delete(name);
          }
        });
    if (data != null) {
      data.names().forEach(databases::get);
    }
    Exports exports = new Exports(databases, settings.time);
    Runnable reset = () -> databases.all().forEach(this::reset);
    CompletableFuture<Void> stopRequested = new CompletableFuture<>();
    ExecutorService executor = threads();
    ActiveRules active = new ActiveRules();
    Listeners listeners = new Listeners(
        settings.time, random.nextLong(), Runtime.getRuntime().maxMemory() / LISTENERS_PART);
    active.observe(listeners::authorizeAgain);
    List<Runnable> chores =
        new ArrayList<>(List.of(settings.rules.apply(active), listeners::expire));
    settings.databaseRules.forEach(each -> chores.add(each.apply(active)));
    IndexCheck required = (query, aggregated) -> new IndexRequirement(
            settings.indexesOf(query.parent().database()))
        .check(query, aggregated);
    IndexCheck indexCheck = settings.strictIndexes ? required : IndexCheck.NONE;
    RequestLog requests = new RequestLog(settings.time, settings.requestLog);
    RequestRecorder recorder = new RequestRecorder(requests);
    Authorizer observed =
        recorder.observing(new RulesAuthorizer(active, settings.authorizer, recorder::denied));
    Operations operations = Operations.of(databases, observed, indexCheck, random);
    LocalAdministrator administrator = new LocalAdministrator(settings.administratorFromAnywhere);
    WebChannels channels = new WebChannels(
        operations,
        listeners,
        executor,
        administrator,
        settings.budgetBytes / CHANNELS_PART,
        random);
    chores.add(channels::upkeep);
    chores.add(told::save);
    EmulatorService emulator = new EmulatorService(
        databases,
        new RulesRoutes(active),
        new ExportRoutes(exports),
        new FunctionRoutes(new Functions(told, settings.functionsEmulator)),
        reset,
        () -> stopRequested.complete(null));
    FirestoreGrpcService calls = new FirestoreGrpcService(operations, listeners, executor);
    InspectService inspect = new InspectService(requests, databases, listeners, required);
    Server server = http(operations, calls, channels, emulator, inspect, recorder, administrator);
    try {
      server.start().join();
    } catch (RuntimeException e) {
      executor.shutdownNow();
      throw e;
    }
    if (!settings.address.isLoopbackAddress()) {
      log.log(
          WARNING,
          () -> "Listening beyond this machine, on " + settings.address.getHostAddress()
              + ": everybody who can reach it can try to use it");
    }
    boolean nothingExpires = Stream.concat(
            Stream.of(settings.indexes), settings.databaseIndexes.values().stream())
        .allMatch(indexes -> indexes.ttlPolicies().isEmpty());
    ExpirySweep sweep = nothingExpires
        ? null
        : new ExpirySweep(databases, name -> settings.indexesOf(name).ttlPolicies(), settings.time);
    FirestoreServer started = new FirestoreServer(
        server, databases, exports, told, reset, data, sweep, chores, executor, stopRequested);
    told.start();
    started.scheduleUpkeep();
    return started;
  }

  private Served open(DatabaseName name, @Nullable DataDirectory data, long issuer, Triggers told) {
    Database database = data == null
        ? database(name, Journal.NONE, told)
        : data.open(name, journal -> database(name, journal, told), () -> told.followedUntil(name));
    if (database.isEmpty() && settings.seed.fill(database) && data != null) {
      data.keep(name);
    }
    told.opened(database);
    TransactionSettings transactions = new TransactionSettings(
        settings.concurrency,
        settings.lockTimeout,
        TransactionSettings.DEFAULT.idleTimeout(),
        TransactionSettings.DEFAULT.totalTimeout());
    return new Served(
        database,
        new Transactions(database, transactions, System::nanoTime, issuer),
        settings.sizes);
  }

  private void reset(Served served) {
    served.transactions().endAll();
    served.database().clear("", true);
    settings.seed.plant(served.database());
  }

  private Database database(DatabaseName name, Journal journal, Triggers told) {
    Database database =
        new Database(name, journal, settings.time, settings.indexesOf(name), HistoryLimits.DEFAULT);
    told.follow(database); // before it is read back
    return database;
  }

  private Server http(
      Operations operations,
      FirestoreGrpcService service,
      WebChannels channels,
      EmulatorService emulator,
      InspectService inspect,
      RequestRecorder recorder,
      LocalAdministrator administrator) {
    GrpcService grpc = GrpcService.builder()
        .addService(service)
        .addService("/google.firestore.v1beta1.Firestore", service)
        .maxRequestMessageLength(settings.sizes.requestBytes())
        .exceptionHandler(GrpcErrors::status)
        // JSON has its own service; Armeria's would generate code for every message at the start.
        .supportedSerializationFormats(GrpcSerializationFormats.PROTO)
        .build();
    // Whoever is served is told that it was too slow, before the connection is closed.
    AmbiguousRequests ambiguous = new AmbiguousRequests(settings.requestTimeout.plusSeconds(1));
    Connections connections = new Connections(settings.maxConnections, settings.requestTimeout);
    ServerBuilder builder = Server.builder()
        .http(new InetSocketAddress(settings.address, settings.port))
        .meterRegistry(NoopMeterRegistry.get()) // the shared one complains about a second server
        .http1MaxInitialLineLength(AmbiguousRequests.MAX_REQUEST_LINE)
        .http2MaxStreamsPerConnection(MAX_STREAMS_PER_CONNECTION)
        .maxRequestLength(settings.sizes.requestBytes())
        // Listeners stay for as long as they like; what else takes too long is ended below.
        .requestTimeout(Duration.ZERO)
        .bossGroupFactory(name -> IoThreads.create("firestore-accept", 1, acceptor -> {}))
        .workerGroup(IoThreads.create("firestore-io", IO_THREADS, connections::admit), true)
        .blockingTaskExecutor(new RequestThreads(), true)
        .errorHandler(new ServiceErrors())
        .service(grpc, ArrivingRequests::new)
        .serviceUnder("/", emulator)
        .serviceUnder("/inspect", inspect)
        .decorator(recorder)
        .decorator(administrator)
        .decorator(new RequestBudget(settings.budgetBytes))
        .decorator(new HostCheck(settings.hosts))
        .decorator(new CrossOrigin(new Origins(settings.origins)))
        .decorator(ambiguous)
        .decorator(connections)
        .childChannelPipelineCustomizer(ambiguous::watch)
        .childChannelPipelineCustomizer(
            pipeline -> Connections.watchSilence(pipeline, settings.pingAfter))
        // Again, for kinds of threads that do not tell.
        .childChannelPipelineCustomizer(pipeline -> connections.admit(pipeline.channel()));
    builder
        .route()
        .pathPrefix("/v1/")
        .pathPrefix("/v1beta1/")
        .build(new FirestoreRestService(operations));
    // They count their own bytes: a client that is refused for them would send the same again for
    // ever.
    builder.route().path(WebChannels.LISTEN).maxRequestLength(0).build(channels.listen());
    builder.route().path(WebChannels.WRITE).maxRequestLength(0).build(channels.write());
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
