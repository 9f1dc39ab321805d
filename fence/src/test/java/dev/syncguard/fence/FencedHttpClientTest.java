package dev.syncguard.fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.syncguard.lock.Fence;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which answers the client takes for the refusal of its fence. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class FencedHttpClientTest {

  private static final Fence FENCE = new Fence(41);

  private final FencedHttpClient client = FencedHttpClient.over(HttpClient.newHttpClient());
  private final List<List<String>> received = new CopyOnWriteArrayList<>();
  private List<String> answered = List.of();
  private HttpServer service;

  @BeforeEach
  void start() throws IOException {
    service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    service.createContext("/", exchange -> {
      received.add(exchange.getRequestHeaders().get("Fence"));
      answered.forEach(fence -> exchange.getResponseHeaders().add("Fence", fence));
      exchange.sendResponseHeaders(412, -1);
      exchange.close();
    });
    service.start();
  }

  @AfterEach
  void stop() {
    service.stop(0);
  }

  private HttpResponse<Void> send() throws Exception {
    URI address = URI.create("http://127.0.0.1:" + service.getAddress().getPort() + "/");
    HttpRequest request = HttpRequest.newBuilder(address)
        .header("Fence", "7")
        .header("fence", "8")
        .build();
    return client.send(FENCE, request, BodyHandlers.discarding());
  }

  @Test
  void aRefusalThatRepeatsTheFenceIsOne() {
    answered = List.of(FENCE.text());
    assertThatThrownBy(this::send).isInstanceOf(StaleFenceException.class);
    answered = List.of("41");
    assertThatThrownBy(this::send).isInstanceOf(StaleFenceException.class);
  }

  @Test
  void aConditionOfAnotherKindOrARefusalOfAnotherFenceIsHandedToTheCaller() throws Exception {
    for (List<String> other :
        List.of(List.<String>of(), List.of("17"), List.of("x"), List.of(""), List.of("41", "17"))) {
      answered = other;
      assertThat(send().statusCode()).as("%s", other).isEqualTo(412);
    }
  }

  @Test
  void onlyItsOwnFenceIsSentWhateverTheRequestCarried() throws Exception {
    send();
    assertThat(received).containsExactly(List.of(FENCE.text()));
  }
}
