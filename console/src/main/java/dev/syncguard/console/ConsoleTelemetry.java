package dev.syncguard.console;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.syncguard.lock.LockHash;
import dev.syncguard.lock.telemetry.LockEvent;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Tells a {@link Console} on this machine what a process does with its locks, by hashes only:
 * {@code Telemetry.to(ConsoleTelemetry.to(address, "billing")).over(backend)}.
 *
 * <p>It never holds up an operation: what the console does not take in time is dropped, and a console that is away costs a
 * refused connection every second. Thread-safe.
 */
public final class ConsoleTelemetry implements Consumer<LockEvent>, AutoCloseable {

  private static final int CAPACITY = 10_000;
  private static final int BATCH = 500;
  private static final Duration PAUSE = Duration.ofMillis(250);
  private static final Duration LONGEST = Duration.ofSeconds(2);

  private final URI target;
  private final String token;
  private final String process;
  private final InstantSource clock = InstantSource.system();
  private final HttpClient http = HttpClient.newBuilder()
      .version(HttpClient.Version.HTTP_1_1)
      .connectTimeout(LONGEST)
      .build();
  private final BlockingQueue<SentEvent> waiting = new ArrayBlockingQueue<>(CAPACITY);
  private final Thread thread;
  private volatile boolean closed;

  private ConsoleTelemetry(URI address, String process) {
    this.target = URI.create("http://" + address.getRawAuthority() + address.getRawPath());
    this.token = address.getRawFragment();
    this.process = process;
    this.thread = new Thread(this::sendUntilClosed, "syncguard-console-telemetry");
    thread.setDaemon(true);
    thread.start();
  }

  /**
   * Returns a listener that sends events to a console.
   *
   * @param address what {@link ConsoleServer#telemetryAddress()} returns and {@code syncguard console} prints
   * @param name what to call this process, in up to 60 characters; its process id is added
   */
  public static ConsoleTelemetry to(URI address, String name) {
    if (name.isBlank() || name.length() > 60) {
      throw new IllegalArgumentException("A process has a name of 1 to 60 characters");
    }
    if (address.getRawFragment() == null || !isLoopback(address)) {
      throw new IllegalArgumentException(
          "The address of a console's telemetry is on loopback and ends in # and a token");
    }
    return new ConsoleTelemetry(address, name + " " + ProcessHandle.current().pid());
  }

  private static boolean isLoopback(URI address) {
    try {
      return "http".equals(address.getScheme())
          && address.getHost() != null
          && InetAddress.getByName(address.getHost()).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }

  @Override
  public void accept(LockEvent event) {
    var unused = waiting.offer(sent(process, event, clock.millis()));
  }

  static SentEvent sent(String process, LockEvent event, long now) {
    return new SentEvent(
        process,
        now,
        event.duration().toMillis(),
        event.type(),
        event.outcome(),
        event.reason(),
        event.keyHash().map(LockHash::hex),
        event.lockIdHash().map(LockHash::hex));
  }

  private void sendUntilClosed() {
    List<SentEvent> batch = new ArrayList<>();
    while (!closed || !waiting.isEmpty()) {
      try {
        SentEvent first = waiting.poll(PAUSE.toMillis(), TimeUnit.MILLISECONDS);
        if (first != null) {
          batch.add(first);
          waiting.drainTo(batch, BATCH - 1);
          send(batch);
        }
      } catch (InterruptedException e) {
        return;
      } catch (IOException e) {
        // Nobody is there to look. What was to be told is old by the time somebody is.
        pause();
      }
      batch.clear();
    }
  }

  private void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(closed ? 0 : 1000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void send(List<SentEvent> batch) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(target)
        .timeout(LONGEST)
        .header("authorization", "Bearer " + token)
        .header("content-type", "application/json")
        .POST(BodyPublishers.ofString(json(batch), UTF_8))
        .build();
    http.send(request, BodyHandlers.discarding());
  }

  private String json(List<SentEvent> batch) {
    ObjectNode node = JsonNodeFactory.instance.objectNode().put("process", process);
    ArrayNode events = node.putArray("events");
    for (SentEvent event : batch) {
      ObjectNode item = events.addObject();
      item.put("at", event.at()).put("tookMs", event.tookMs());
      item.put("type", event.type().name()).put("outcome", event.outcome().name());
      event.reason().ifPresent(reason -> item.put("reason", reason.name()));
      event.key().ifPresent(key -> item.put("key", key));
      event.id().ifPresent(id -> item.put("id", id));
    }
    return node.toString();
  }

  /** Sends what is left, for at most two seconds, and stops. */
  @Override
  public void close() {
    closed = true;
    try {
      thread.join(LONGEST.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    thread.interrupt();
  }
}
