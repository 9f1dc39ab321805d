package dev.syncguard.firestore.server;

import dev.syncguard.firestore.server.auth.ActiveRules;
import dev.syncguard.firestore.server.auth.Authorizer;
import dev.syncguard.firestore.server.auth.RulesFileWatch;
import dev.syncguard.firestore.server.durability.DataDirectory;
import dev.syncguard.firestore.server.durability.Fsync;
import dev.syncguard.firestore.server.export.Seed;
import dev.syncguard.firestore.server.http.Origins;
import dev.syncguard.firestore.server.index.IndexConfiguration;
import dev.syncguard.firestore.server.name.DatabaseName;
import dev.syncguard.firestore.server.transaction.Concurrency;
import dev.syncguard.firestore.server.transaction.TransactionSettings;
import dev.syncguard.firestore.server.trigger.DocumentEvent;
import dev.syncguard.firestore.server.trigger.PathPattern;
import dev.syncguard.firestore.server.trigger.Trigger;
import dev.syncguard.firestore.server.trigger.TriggerListener;
import dev.syncguard.firestore.server.write.SizeLimits;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The settings of a server that is about to start. Not thread-safe. */
public final class FirestoreServerBuilder {

  InetAddress address = InetAddress.getLoopbackAddress();
  int port;
  // The last two are how phones in the emulators of Android and of Genymotion call the machine that
  // they run on. No web page
  // can make them stand for it elsewhere: a browser that names an address has sent its request
  // there.
  final Set<String> hosts = new HashSet<>(
      Set.of("localhost", "127.0.0.1", "::1", "0:0:0:0:0:0:0:1", "10.0.2.2", "10.0.3.2"));
  final Set<String> origins = new HashSet<>();
  Authorizer authorizer = Authorizer.ownerOnly();
  Function<ActiveRules, Runnable> rules = active -> () -> {};
  final List<Function<ActiveRules, Runnable>> databaseRules = new ArrayList<>();
  boolean administratorFromAnywhere;
  IndexConfiguration indexes = IndexConfiguration.NONE;
  final Map<String, IndexConfiguration> databaseIndexes = new HashMap<>();
  boolean strictIndexes;
  Concurrency concurrency = Concurrency.PESSIMISTIC;
  Duration lockTimeout = TransactionSettings.DEFAULT.lockTimeout();
  private @Nullable Path directory;
  private Fsync fsync = Fsync.EVERY_COMMIT;
  private long compactAfterBytes = 64L << 20;
  Duration requestTimeout = Duration.ofSeconds(60);
  int maxConnections = 2000;
  Duration pingAfter = Duration.ofSeconds(30);
  InstantSource time = InstantSource.system();
  Seed seed = Seed.NONE;
  final List<Trigger> triggers = new ArrayList<>();

  @Nullable
  URI functionsEmulator;

  boolean requestLog;
  SizeLimits sizes = SizeLimits.STANDARD;
  long budgetBytes = Math.max(2L * sizes.requestBytes(), Runtime.getRuntime().maxMemory() / 8);

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
   * Adds names that clients reach the server by: of a container, or of this machine in its network. A request that names
   * another host is refused. Those of loopback, {@code 10.0.2.2} and {@code 10.0.3.2} for phones in an emulator, and the
   * address that a request arrives at are always allowed.
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
    this.rules = StartingRules.of(source);
    return this;
  }

  /**
   * Takes the security rules from a file, and again whenever it changes. While it does not compile the last good rules
   * stay, and the log says so.
   */
  public FirestoreServerBuilder rules(Path file) {
    return rules(file, StartingRules::log);
  }

  /** Takes the security rules from a file, and tells somebody else than the log what becomes of it, now and later. */
  public FirestoreServerBuilder rules(Path file, Consumer<RulesFileWatch.Reload> observer) {
    this.rules = StartingRules.in(file, ActiveRules::replace, observer);
    return this;
  }

  /**
   * Takes the security rules of the databases of one id from a file of their own, and again whenever it changes. The other
   * databases have those that were set for all, or none.
   */
  public FirestoreServerBuilder rules(
      String databaseId, Path file, Consumer<RulesFileWatch.Reload> observer) {
    databaseRules.add(StartingRules.in(
        file, (active, compiled) -> active.replaceFor(databaseId, compiled), observer));
    return this;
  }

  /**
   * Sets whether clients on other machines can be the administrator, too. The default is false: then {@code Bearer owner}
   * and the emulator's endpoints count only on this machine, because everybody knows them.
   */
  public FirestoreServerBuilder administratorFromAnywhere(boolean value) {
    this.administratorFromAnywhere = value;
    return this;
  }

  /** Sets exemptions, composite indexes and TTL policies. The default has none. */
  public FirestoreServerBuilder indexes(IndexConfiguration value) {
    this.indexes = Objects.requireNonNull(value, "indexes");
    return this;
  }

  /** Sets them for the databases of one id. The others have those that were set for all. */
  public FirestoreServerBuilder indexes(String databaseId, IndexConfiguration value) {
    databaseIndexes.put(databaseId, Objects.requireNonNull(value, "indexes"));
    return this;
  }

  IndexConfiguration indexesOf(DatabaseName database) {
    return databaseIndexes.getOrDefault(database.database(), indexes);
  }

  /** Refuses queries for which production would want an index that is not configured. The default runs any query. */
  public FirestoreServerBuilder strictIndexes(boolean value) {
    this.strictIndexes = value;
    return this;
  }

  /**
   * Accepts documents of up to 16 MiB, in requests of up to 32, as Google's own tests expect of a database of the enterprise
   * edition that no published one is; there it is 1 MiB. Nothing else of that edition is here. The default is 1 MiB.
   */
  public FirestoreServerBuilder largeDocuments(boolean value) {
    this.sizes = value ? SizeLimits.LARGE : SizeLimits.STANDARD;
    this.budgetBytes = Math.max(budgetBytes, 2L * sizes.requestBytes());
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
   * taken; calls over gRPC and to the endpoints of the emulator have ten times as long for that, listeners as long as they like.
   * The default is 60 seconds.
   */
  public FirestoreServerBuilder requestTimeout(Duration value) {
    if (value.isNegative() || value.isZero()) {
      throw new IllegalArgumentException("requestTimeout must be positive, but was " + value);
    }
    this.requestTimeout = value;
    return this;
  }

  /** Sets the clock of commits, reads and TTL policies. The default is the system's. */
  public FirestoreServerBuilder time(InstantSource value) {
    this.time = Objects.requireNonNull(value, "time");
    return this;
  }

  /**
   * Lets every database begin with the documents that an export of the official emulator or of production has for its id:
   * those of the default database, in whatever project. Databases of which a data directory has documents stay as they are. The
   * default is to begin empty.
   *
   * @param path the directory that the tools of Firebase have exported to, or the overall file of an export
   */
  public FirestoreServerBuilder importFrom(Path path) {
    try {
      this.seed = Seed.of(path);
    } catch (FirestoreServerException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
    return this;
  }

  /**
   * Tells a listener whenever a document whose path fits the pattern is created, updated or deleted, as in
   * {@code onDocumentWritten("orders/{id}", event -> …)}. An event comes after its commit, at least once, and again, with
   * growing pauses, if the listener throws; imports and resets are no events. A {@code Webhook} is such a listener.
   */
  public FirestoreServerBuilder onDocumentWritten(String pattern, TriggerListener listener) {
    return onDocument(DocumentEvent.Kind.WRITTEN, pattern, listener);
  }

  /** Tells a listener of one kind of event. */
  public FirestoreServerBuilder onDocument(
      DocumentEvent.Kind kind, String pattern, TriggerListener listener) {
    triggers.add(new Trigger(kind, PathPattern.of(pattern), listener));
    return this;
  }

  /**
   * Says where the functions emulator of Firebase's tools is, like {@code http://127.0.0.1:5001}: it may then register its
   * functions of either generation, and they are run whenever a document that they are about changes. The default is nowhere.
   */
  public FirestoreServerBuilder functionsEmulator(URI address) {
    if (!"http".equals(address.getScheme()) || address.getHost() == null) {
      throw new IllegalArgumentException(
          "The functions emulator is at an address like http://127.0.0.1:5001, but was " + address);
    }
    this.functionsEmulator = address;
    return this;
  }

  /**
   * Remembers the latest thousand requests from the start, for the console. The default begins when somebody on this machine
   * first asks for them.
   */
  public FirestoreServerBuilder requestLog(boolean value) {
    this.requestLog = value;
    return this;
  }

  /** Sets how many connections there may be at once. The default is 2,000. */
  FirestoreServerBuilder maxConnections(int value) {
    this.maxConnections = value;
    return this;
  }

  /**
   * Sets how long nothing may come of a client over HTTP/2 before it is pinged; if it answers none of three pings, its connection
   * is closed. The default is 30 seconds.
   */
  FirestoreServerBuilder pingAfter(Duration value) {
    this.pingAfter = value;
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
      return new ServerAssembly(this).start(data);
    } catch (RuntimeException | LinkageError e) {
      if (data != null) {
        data.close();
      }
      if (e instanceof LinkageError) {
        throw new IllegalStateException(
            "The embedded Firestore needs Netty 4.2, and an older one is on the class path. Spring Boot 3.5 chooses 4.1 for"
                + " its applications: set the Maven property netty.version, or Gradle's ext['netty.version'], to a 4.2 version.",
            e);
      }
      throw e;
    }
  }
}
