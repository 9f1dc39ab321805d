package dev.syncguard.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RouteTest {

  @ParameterizedTest
  @CsvSource({
    "redis://db:7000/2?prefix=x, db, 7000, redis://127.0.0.1:99/2?prefix=x",
    "redis://user:pw@db, db, 6379, redis://user:pw@127.0.0.1:99",
    "postgresql://u:p@db/shop?sslmode=disable, db, 5432, postgresql://u:p@127.0.0.1:99/shop?sslmode=disable"
  })
  void oneServerIsReachedThroughAProxy(String address, String host, int port, String through) {
    Route route = Route.to(address, Map.of("HOME", "here"));
    assertThat(route.obstacle()).isEmpty();
    assertThat(route.host()).isEqualTo(host);
    assertThat(route.port()).isEqualTo(port);
    assertThat(route.through(99)).containsEntry(Route.STORE, through).containsEntry("HOME", "here");
    assertThat(route.direct()).containsEntry(Route.STORE, address);
  }

  @Test
  void aLocalFirestoreIsReachedThroughAProxy() {
    Route route = Route.to("firestore://demo", Map.of(Route.EMULATOR, "localhost:8080"));
    assertThat(route.port()).isEqualTo(8080);
    assertThat(route.through(99))
        .containsEntry(Route.EMULATOR, "127.0.0.1:99")
        .containsEntry(Route.STORE, "firestore://demo");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sqlite:/tmp/locks.db",
        "firestore://project",
        "rediss://db",
        "redis+sentinel://a,b/mymaster",
        "redis+cluster://a,b",
        "postgresql://a,b/shop",
        "postgresql://a/shop?sslmode=verify-full"
      })
  void whereNoProxyFitsTheReasonIsSaid(String address) {
    Route route = Route.to(address, Map.of());
    assertThat(route.obstacle()).isPresent();
    assertThat(route.direct()).containsEntry(Route.STORE, address);
    assertThat(route.toString()).doesNotContain(address);
  }
}
