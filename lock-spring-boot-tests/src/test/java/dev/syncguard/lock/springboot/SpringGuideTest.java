package dev.syncguard.lock.springboot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Fence;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.springboot.autoconfigure.SyncGuardProperties;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Lock;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.integration.support.locks.LockRegistry;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import reactor.core.publisher.Mono;

/** The samples of {@code docs/spring.md} are parts of this class, and run; its properties exist. */
class SpringGuideTest {

  private static final Path GUIDE = Path.of("..", "docs", "spring.md");
  private static final List<String> done = new ArrayList<>();

  record Order(String id) {}

  record Ledger() {
    void write(String what, Fence fence) {
      done.add(what + " " + fence.value());
    }
  }

  static final Ledger ledger = new Ledger();

  @Service
  static class Orders {

    @Transactional
    @Locked(key = "'order:' + #order.id")
    public void ship(Order order, Fence fence) {
      ledger.write("shipped", fence);
    }

    @Locked(key = "'order:' + #order.id", waitUpTo = "0s", whenBusy = WhenBusy.SKIP)
    public void remind(Order order) {
      ledger.write("reminded", CurrentLease.fence());
    }

    @Locked(name = "invoices", ttl = "20s", autoExtend = "30m")
    public CompletableFuture<Integer> sendInvoices() {
      return CompletableFuture.supplyAsync(() -> 42);
    }

    @Locked(key = "'stock:' + #item", waitUpTo = "${stock.wait:2s}")
    public Mono<Integer> reserve(String item) {
      return Mono.just(1);
    }
  }

  static class Reports {
    @Scheduled(cron = "0 0 3 * * *")
    @LockedSchedule(name = "nightly-report", atLeast = "1m", atMost = "30m")
    public void nightly() {
      ledger.write("reported", CurrentLease.fence());
    }
  }

  static void stock(LeaseLocks leaseLocks) {
    Lock lock = leaseLocks.get("stock");
    lock.lock();
    try {
      done.add("counted");
    } finally {
      lock.unlock();
    }
  }

  static void file(LockRegistry registry) throws Exception {
    registry.executeLocked("import:orders.csv", () -> done.add("imported"));
  }

  static void byHand(Locks locks) {
    locks.lock("payment:42").run(lease -> ledger.write("paid", lease.fence()));
  }

  @Test
  @SuppressWarnings("NullAway") // The fence is filled in.
  void theSamplesRun() {
    done.clear();
    Applications.inMemory().withBean(Orders.class).withBean(Reports.class).run(application -> {
      Orders orders = application.getBean(Orders.class);
      orders.ship(new Order("1"), null);
      orders.remind(new Order("1"));
      assertThat(orders.sendInvoices().join()).isEqualTo(42);
      assertThat(orders.reserve("bolt").block()).isEqualTo(1);
      application.getBean(Reports.class).nightly();
      stock(application.getBean(LeaseLocks.class));
      file(application.getBean(LockRegistry.class));
      byHand(application.getBean(Locks.class));
    });
    assertThat(done)
        .containsExactly("shipped 1", "reminded 2", "reported 1", "counted", "imported", "paid 1");
  }

  @Test
  void everySampleOfTheGuideIsHere() throws Exception {
    String here = spaceless(Files.readString(Path.of(
        "..",
        "lock-spring-boot-tests",
        "src",
        "test",
        "java",
        "dev",
        "syncguard",
        "lock",
        "springboot",
        "SpringGuideTest.java")));
    List<String> samples = matches("```java spring\\n(.*?)```");
    assertThat(samples).hasSizeGreaterThan(4);
    assertThat(samples).allSatisfy(sample -> assertThat(here).contains(spaceless(sample)));
  }

  @Test
  void everyPropertyOfTheGuideExists() throws Exception {
    List<String> named = matches("`(syncguard\\.[a-z.-]+)(?:=[^`]*)?`");
    String known = new String(
        SyncGuardProperties.class
            .getResourceAsStream("/META-INF/spring-configuration-metadata.json")
            .readAllBytes(),
        java.nio.charset.StandardCharsets.UTF_8);
    assertThat(named).hasSizeGreaterThan(5);
    assertThat(named).allSatisfy(property -> assertThat(known).contains("\"" + property + "\""));
  }

  private static List<String> matches(String pattern) throws Exception {
    return Pattern.compile(pattern, Pattern.DOTALL)
        .matcher(Files.readString(GUIDE))
        .results()
        .map((MatchResult match) -> match.group(1))
        .toList();
  }

  private static String spaceless(String text) {
    return text.replaceAll("\\s+", "");
  }
}
