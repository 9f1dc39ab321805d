package dev.syncguard.console;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;
import com.linecorp.armeria.common.stream.StreamMessage;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;

/** Serves a {@link Console} on loopback, until it is closed together with the console. Thread-safe. */
public final class ConsoleServer implements AutoCloseable {

  /** More than there are streams of changes, each of which keeps one. */
  private static final int THREADS = 12;

  private static final long MAX_REQUEST_BYTES = 16L << 20;

  private final Console console;
  private final Server server;

  private ConsoleServer(Console console, int port) {
    this.console = console;
    this.server = Server.builder()
        .http(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
        .meterRegistry(new SimpleMeterRegistry()) // a shared one complains about a second server
        .maxRequestLength(MAX_REQUEST_BYTES)
        .requestTimeout(Duration.ofSeconds(90))
        .blockingTaskExecutor(
            Executors.newScheduledThreadPool(THREADS, ConsoleServer::newThread), true)
        .serviceUnder("/", this::serve)
        .build();
  }

  /** Starts to serve the console on a port of loopback; 0 takes any that is free. */
  public static ConsoleServer start(Console console, int port) {
    ConsoleServer started = new ConsoleServer(console, port);
    started.server.start().join();
    return started;
  }

  private static Thread newThread(Runnable work) {
    Thread thread = new Thread(work, "syncguard-console-request");
    thread.setDaemon(true);
    return thread;
  }

  private HttpResponse serve(ServiceRequestContext ctx, HttpRequest request) {
    ConsoleRequest bare = withoutBody(request);
    Optional<ConsoleResponse> refusal = console.refusal(bare);
    if (refusal.isPresent()) {
      return response(ctx, refusal.get());
    }
    return HttpResponse.of(request
        .aggregate()
        .thenApplyAsync(
            whole -> response(ctx, console.answer(bare.with(whole.content().array()))),
            ctx.blockingTaskExecutor()));
  }

  private static ConsoleRequest withoutBody(HttpRequest request) {
    String url = request.path();
    int mark = url.indexOf('?');
    Map<String, String> headers = new HashMap<>();
    request
        .headers()
        .forEach((name, value) -> headers.put(name.toString().toLowerCase(Locale.ROOT), value));
    String authority = request.authority();
    if (authority != null) {
      headers.put("host", authority);
    }
    return new ConsoleRequest(
        request.method().name(),
        mark < 0 ? url : url.substring(0, mark),
        mark < 0 ? "" : url.substring(mark + 1),
        headers,
        new byte[0]);
  }

  private static HttpResponse response(ServiceRequestContext ctx, ConsoleResponse answer) {
    ResponseHeadersBuilder headers = ResponseHeaders.builder(HttpStatus.valueOf(answer.status()));
    answer.headers().forEach(headers::set);
    HttpData body = HttpData.wrap(answer.body());
    return answer
        .rest()
        .map(rest -> endless(ctx, headers.build(), rest))
        .orElseGet(() -> HttpResponse.of(headers.build(), body));
  }

  private static HttpResponse endless(
      ServiceRequestContext ctx, ResponseHeaders headers, ConsoleResponse.Rest rest) {
    ctx.clearRequestTimeout();
    return HttpResponse.of(
        headers,
        StreamMessage.fromOutputStream(
            out -> {
              try (out) {
                rest.writeTo(out);
              } catch (IOException e) {
                return; // The page was closed, which is how such an answer ends.
              }
            },
            ctx.blockingTaskExecutor()));
  }

  /** Returns the address to open in a browser. Treat it as a secret: it contains the token. */
  public String address() {
    return console.address(base());
  }

  /** Returns the address for {@link ConsoleTelemetry}. */
  public URI telemetryAddress() {
    return console.telemetryAddress(base());
  }

  private String base() {
    return "http://127.0.0.1:" + server.activeLocalPort();
  }

  /** Gives the port back and closes the console. */
  @Override
  public void close() {
    console.close();
    server.stop().join();
  }
}
