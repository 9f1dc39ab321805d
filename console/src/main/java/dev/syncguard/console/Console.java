package dev.syncguard.console;

import dev.syncguard.console.Changes.Topic;
import dev.syncguard.lock.Time;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.telemetry.LockEvent;
import java.net.URI;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A web page about a store of locks, a Firestore, or both, without the web server: {@link ConsoleServer} serves it on
 * loopback, {@link ConsoleServlet} in a servlet container. Thread-safe.
 *
 * <p>It looks at the store about once a second from when it is built until it is closed. The backend stays the caller's to
 * close.
 */
public final class Console implements AutoCloseable {

  private static final Duration BETWEEN_EXAMINATIONS = Duration.ofMinutes(1);
  private static final List<Topic> SEEN = List.of(Topic.LOCKS, Topic.HISTORY);

  private final AccessToken token;
  private final AccessToken senderToken;
  private final Gate gate;
  private final Routes routes;
  private final Changes changes = new Changes();
  private final ScheduledExecutorService timer;

  private Console(Builder builder) {
    SecureRandom random = new SecureRandom();
    token = builder.token == null ? AccessToken.create(random) : builder.token;
    senderToken = AccessToken.create(random);
    gate = new Gate(builder.hosts, token, senderToken);
    Time time = Time.system();
    History history = new History();
    Optional<StoreWatch> watch = Optional.ofNullable(builder.locks)
        .map(backend -> new StoreWatch(backend, history, time, builder.limit, builder.raw));
    Optional<Operator> operator = Optional.ofNullable(builder.locks)
        .map(backend ->
            new Operator(backend, builder.admin, builder.limit, builder.telemetry, history, time));
    Optional<FirestoreProxy> firestore =
        Optional.ofNullable(builder.firestore).map(FirestoreProxy::new);
    routes = new Routes(
        new Assets(),
        watch,
        operator,
        history,
        firestore,
        changes,
        new Routes.Settings(builder.admin, builder.label, builder.project),
        time);
    timer = Executors.newScheduledThreadPool(3, Console::newThread);
    firestore.ifPresent(proxy -> timer.execute(new FirestoreChanges(proxy, changes)));
    watch.ifPresent(store -> {
      changes.promise(SEEN, true);
      every(builder.interval, () -> tellIf(store.look()));
      every(BETWEEN_EXAMINATIONS, () -> tellIf(store.examine()));
      every(BETWEEN_EXAMINATIONS, () -> history.tidy(time.now().toEpochMilli()));
    });
  }

  private void tellIf(boolean changed) {
    if (changed) {
      changes.tell(SEEN);
    }
  }

  /** Returns a builder with every setting at its default: a console about nothing. */
  public static Builder builder() {
    return new Builder();
  }

  private static Thread newThread(Runnable work) {
    Thread thread = new Thread(work, "syncguard-console");
    thread.setDaemon(true);
    return thread;
  }

  private void every(Duration interval, Runnable work) {
    var unused = timer.scheduleWithFixedDelay(work, 0, interval.toMillis(), TimeUnit.MILLISECONDS);
  }

  /**
   * Answers a request. May take as long as the store or the Firestore takes; never throws. An answer without an end must be
   * written, so that it notices that its client is gone.
   */
  public ConsoleResponse answer(ConsoleRequest request) {
    return gate.refusal(request).orElseGet(() -> routes.answer(request));
  }

  /** Returns why a request is refused whatever its body is, so that a stranger's need not be read. */
  Optional<ConsoleResponse> refusal(ConsoleRequest withoutBody) {
    return gate.refusal(withoutBody);
  }

  /**
   * Returns the address to open in a browser. Treat it as a secret: it ends in the token, as a fragment, which browsers send
   * to nobody.
   *
   * @param base where the console is served, such as {@code http://127.0.0.1:8081/console}
   */
  public String address(String base) {
    return base + "/#token=" + token.text();
  }

  /** Returns the address for {@link ConsoleTelemetry}, which lets processes tell what they do, and nothing else. */
  public URI telemetryAddress(String base) {
    return URI.create(base + Routes.TELEMETRY + "#" + senderToken.text());
  }

  /** Stops looking. */
  @Override
  public void close() {
    changes.close();
    timer.shutdownNow();
  }

  /** The settings of a console. Not thread-safe. */
  public static final class Builder {
    private final Set<String> hosts = new HashSet<>(Set.of("localhost", "127.0.0.1", "[::1]"));
    private @Nullable LockBackend locks;
    private @Nullable URI firestore;
    private @Nullable AccessToken token;
    private String label = "";
    private String project = "demo-syncguard";
    private boolean admin;
    private boolean raw;
    private int limit = 20_000;
    private Duration interval = Duration.ofSeconds(1);
    private Consumer<? super LockEvent> telemetry = event -> {};

    private Builder() {}

    /**
     * Sets the store to show.
     *
     * @param name what to call it on the page; without credentials
     */
    public Builder locks(LockBackend backend, String name) {
      this.locks = Objects.requireNonNull(backend, "backend");
      this.label = Objects.requireNonNull(name, "name");
      return this;
    }

    /**
     * Sets the Firestore to show: the embedded one, or an emulator. The console is its administrator.
     *
     * @param address such as {@code http://127.0.0.1:8080}
     * @param projectId the project that the page shows at first
     */
    public Builder firestore(URI address, String projectId) {
      if (!"http".equals(address.getScheme()) || address.getHost() == null) {
        throw new IllegalArgumentException(
            "A Firestore is at an address like http://127.0.0.1:8080");
      }
      this.firestore = address;
      this.project = Objects.requireNonNull(projectId, "projectId");
      return this;
    }

    /**
     * Sets the token that opens the console, for those who cannot read an address that it prints. The default is a new one
     * each time.
     *
     * @param text at least 22 letters, digits, {@code -} or {@code _} that nobody can guess
     */
    public Builder token(String text) {
      this.token = AccessToken.of(text);
      return this;
    }

    /** Sets whether the page may end leases of others. The default is no. */
    public Builder admin(boolean value) {
      this.admin = value;
      return this;
    }

    /** Sets whether the page shows the names of keys beside their hashes. The default is no: it reveals one when asked to. */
    public Builder raw(boolean value) {
      this.raw = value;
      return this;
    }

    /** Sets who is told of all that the page does to the store. The default is nobody but the page's own history. */
    public Builder telemetry(Consumer<? super LockEvent> listener) {
      this.telemetry = Objects.requireNonNull(listener, "listener");
      return this;
    }

    /** Adds names that the console answers to, beside those of loopback. For those who mount it behind another name. */
    public Builder allowHosts(String... names) {
      for (String name : names) {
        hosts.add(name.toLowerCase(Locale.ROOT));
      }
      return this;
    }

    /** Sets how often to look at the store. The default is every second. */
    public Builder interval(Duration value) {
      if (value.toMillis() < 50) {
        throw new IllegalArgumentException("interval must be at least 50ms, but was " + value);
      }
      this.interval = value;
      return this;
    }

    /** Sets how many locks to show at most. The default is 20,000. */
    public Builder limit(int value) {
      if (value < 1 || value == Integer.MAX_VALUE) {
        throw new IllegalArgumentException("limit must be at least 1, but was " + value);
      }
      this.limit = value;
      return this;
    }

    /** Returns the console, which looks at the store from now on. */
    public Console build() {
      return new Console(this);
    }
  }
}
