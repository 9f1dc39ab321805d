package com.example.orders;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Starts the service twice on one PostgreSQL, and sends more orders to both at once than there is in stock. */
public final class TwoInstances {

  public static void main(String[] arguments) throws Exception {
    try (EmbeddedPostgres postgres =
            EmbeddedPostgres.builder().setPGStartupWait(Duration.ofMinutes(1)).start();
        ConfigurableApplicationContext first = start(postgres);
        ConfigurableApplicationContext second = start(postgres)) {
      if (List.of(arguments).contains("serve")) {
        System.out.printf("Try: curl -X POST '%s'%nEnds with Ctrl-C.%n", url(first));
        Thread.currentThread().join();
      }
      System.out.println("answers: " + order(50, url(first), url(second)));
      System.out.println("left: "
          + first.getBean(JdbcClient.class).sql("select quantity from stock").query(Integer.class).single());
    }
  }

  private static ConfigurableApplicationContext start(EmbeddedPostgres postgres) {
    return new SpringApplication(OrderService.class)
        .run(
            "--server.port=0",
            "--server.address=127.0.0.1",
            "--spring.datasource.url=" + postgres.getJdbcUrl("postgres", "postgres"),
            "--spring.datasource.username=postgres",
            "--spring.main.banner-mode=off");
  }

  private static String url(ConfigurableApplicationContext instance) {
    return "http://127.0.0.1:" + instance.getEnvironment().getProperty("local.server.port")
        + "/orders?product=tea&quantity=1";
  }

  /** Sends so many orders at once, in turn to each of the instances, and counts the answers. */
  private static Map<String, Integer> order(int orders, String... urls) {
    HttpClient http = HttpClient.newHttpClient();
    Map<String, Integer> answers = new TreeMap<>();
    IntStream.range(0, orders)
        .mapToObj(i -> HttpRequest.newBuilder(URI.create(urls[i % urls.length]))
            .POST(HttpRequest.BodyPublishers.noBody())
            .build())
        .map(request -> http.sendAsync(request, BodyHandlers.ofString()))
        .toList()
        .stream()
        .map(CompletableFuture::join)
        .forEach(answer -> answers.merge(answer.body().strip(), 1, Integer::sum));
    return answers;
  }
}
