package dev.syncguard.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockException.Code;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.spi.StoreCheck.Finding;
import dev.syncguard.lock.spi.StoreCheck.Severity;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.SslOptions;

/** A server that cannot be used says why, at once, and in words that name what to change. */
class RedisRefusalIT extends OneServer {

  private static final List<String> LEAST_PRIVILEGE = List.of(
      "on",
      ">secret",
      "resetkeys",
      "~syncguard:*",
      "resetchannels",
      "&syncguard:*",
      "-@all",
      "+@connection",
      "+eval",
      "+evalsha",
      "+time",
      "+get",
      "+set",
      "+del",
      "+incr",
      "+decr",
      "+pexpire",
      "+zadd",
      "+zrem",
      "+zrange",
      "+zcard",
      "+zpopmin",
      "+pttl",
      "+publish",
      "+subscribe",
      "+unsubscribe",
      "+ping");

  private LockException refusal(String url) {
    LockException refusal = catchThrowableOfType(LockException.class, () -> {
      try (RedisLockBackend refused = RedisLockBackend.connect(url)) {
        refused.acquire(key("report"), newId(), LONG, NEVER);
      }
    });
    assertThat(refusal).isNotNull();
    assertThat(refusal).hasMessageNotContaining("secret");
    return refusal;
  }

  @Test
  void aDatabaseThatTheServerDoesNotHaveIsNamedAsTheReason() {
    LockException refusal = refusal(server.url() + "/99");
    assertThat(refusal.code()).isEqualTo(Code.INVALID_ARGUMENT);
    assertThat(refusal).hasMessageContaining("no database of this number");
  }

  @Test
  void aServerThatDoesNotEncryptIsNamedAsTheReason() {
    LockException refusal = refusal("rediss://127.0.0.1:" + server.port());
    assertThat(refusal.code()).isEqualTo(Code.INVALID_ARGUMENT);
    assertThat(refusal).hasMessageContaining("does not encrypt on this port");
  }

  @Test
  void aServerThatDoesNotEncryptIsRecognisedHoweverPatientTheDriverIs() {
    JedisClientConfig patient = DefaultJedisClientConfig.builder()
        .timeoutMillis((int) TimeUnit.HOURS.toMillis(1))
        .sslOptions(SslOptions.builder().build())
        .build();
    DiagnosingConnectionFactory connections =
        new DiagnosingConnectionFactory(new HostAndPort("127.0.0.1", server.port()), patient, true);
    CompletableFuture<Object> connecting = CompletableFuture.supplyAsync(() -> {
      try {
        return connections.makeObject();
      } catch (Exception e) {
        throw new CompletionException(e);
      }
    });
    assertThatThrownBy(() -> connecting.get(2, TimeUnit.MINUTES))
        .hasRootCauseMessage("The Redis server does not encrypt on this port; use its TLS port, or"
            + " redis:// instead of rediss://");
  }

  @Test
  void anotherServiceIsNamedAsTheReason() throws Exception {
    try (ServerSocket web = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      CompletableFuture<Void> answering = CompletableFuture.runAsync(() -> {
        try (Socket socket = web.accept()) {
          socket
              .getOutputStream()
              .write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
          socket.getOutputStream().flush();
          while (socket.getInputStream().read() >= 0) {
            // Until the client hangs up.
          }
        } catch (IOException e) {
          // It has.
        }
      });
      LockException refusal = refusal("redis://127.0.0.1:" + web.getLocalPort());
      assertThat(refusal.code()).isEqualTo(Code.INVALID_ARGUMENT);
      assertThat(refusal).hasMessageContaining("does not speak the Redis protocol");
      answering.get(1, TimeUnit.MINUTES);
    }
  }

  @ParameterizedTest
  @CsvSource({"nobody:secret", "default:secret", ":secret"})
  void aWrongPasswordIsToldWithoutASecondTry(String login) {
    jedis.configSet("requirepass", "another");
    long before = stat("stats", "total_connections_received");
    LockException refusal = refusal("redis://" + login + "@127.0.0.1:" + server.port());
    jedis.configSet("requirepass", "");
    assertThat(refusal.code()).isEqualTo(Code.AUTH_FAILED);
    assertThat(refusal.isRetryable()).isFalse();
    assertThat(stat("stats", "total_connections_received") - before).isEqualTo(1);
  }

  @Test
  void aRefusedPortIsToldAtOnce() throws Exception {
    int nobody;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      nobody = socket.getLocalPort();
    }
    // Whoever waited for the timeout would not be back before this test is given up.
    RedisSettings patient =
        RedisSettings.standalone("127.0.0.1", nobody).timeout(Duration.ofHours(1));
    LockException refusal = catchThrowableOfType(LockException.class, () -> {
      try (RedisLockBackend refused = RedisLockBackend.builder(patient).build()) {
        refused.acquire(key("report"), newId(), LONG, NEVER);
      }
    });
    assertThat(refusal.code()).isEqualTo(Code.SERVICE_UNAVAILABLE);
  }

  @Test
  void aUserThatMayOnlyLockCanBeExamined() {
    jedis.aclSetUser("locks", LEAST_PRIVILEGE.toArray(String[]::new));
    try (RedisLockBackend least =
        RedisLockBackend.connect("redis://locks:secret@127.0.0.1:" + server.port())) {
      LockId id = take(least, "report", LONG);
      least.extend(id, LONG, NEVER);
      least.release(id, NEVER);
      List<Finding> findings = least.storeCheck().orElseThrow().examine(NEVER);
      assertThat(findings).extracting(Finding::subject).containsExactly("server", "fences");
      assertThat(findings).extracting(Finding::severity).containsOnly(Severity.WARNING);
      assertThat(findings).extracting(Finding::message).allMatch(text -> text.contains("grant +"));
    } finally {
      jedis.aclDelUser("locks");
    }
  }

  @Test
  void aServerThatMayDropLocksIsNotSafe() {
    jedis.configSet("maxmemory", "100mb");
    jedis.configSet("maxmemory-policy", "volatile-ttl");
    try {
      assertThat(backend.storeCheck().orElseThrow().examine(NEVER))
          .filteredOn(finding -> finding.subject().equals("eviction"))
          .extracting(Finding::severity)
          .containsExactly(Severity.FAILURE);
    } finally {
      jedis.configSet("maxmemory", "0");
      jedis.configSet("maxmemory-policy", "noeviction");
    }
  }

  @Test
  void theSentinelsNeverSeeThePasswordOfTheData() throws Exception {
    try (ServerSocket sentinel = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      List<String> heard = new CopyOnWriteArrayList<>();
      CompletableFuture<Void> listening = CompletableFuture.runAsync(() -> listen(sentinel, heard));
      LockException refusal = catchThrowableOfType(
          LockException.class,
          () -> RedisAddress.parse(
                  "redis+sentinel://user:secret@127.0.0.1:" + sentinel.getLocalPort() + "/mymaster",
                  Map.of(RedisAddress.SENTINEL_PASSWORD, "sentinels-own"))
              .connect(new RedisKeys(RedisKeys.DEFAULT_PREFIX)));
      assertThat(refusal.isRetryable()).isTrue();
      assertThat(heard.toString()).contains("sentinels-own").doesNotContain("secret");
      sentinel.close();
      listening.get(1, TimeUnit.MINUTES);
    }
  }

  private static void listen(ServerSocket sentinel, List<String> heard) {
    try {
      while (true) {
        try (Socket socket = sentinel.accept()) {
          byte[] bytes = new byte[10_000];
          int count = socket.getInputStream().read(bytes);
          heard.add(new String(bytes, 0, Math.max(count, 0), StandardCharsets.UTF_8));
        }
      }
    } catch (IOException e) {
      // Closed by the test.
    }
  }
}
