package dev.syncguard.lock.springboot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Lease;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.spi.LockBackend;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.data.redis.core.StringRedisTemplate;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;

/** The locks are in the Redis that Spring's own properties describe, whichever client the application has: here Lettuce. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class RedisStarterIT {

  @TempDir
  Path directory;

  private static void usesTheLocks(AssertableApplicationContext application) {
    assertThat(application).hasNotFailed();
    assertThat(application.getBean(LockBackend.class).capabilities().backend()).isEqualTo("redis");
    Locks locks = application.getBean(Locks.class);
    try (Lease lease = locks.lock("report").acquire()) {
      assertThat(lease.fence().value()).isPositive();
      assertThat(locks.isLocked("report")).isTrue();
    }
    assertThat(locks.isLocked("report")).isFalse();
  }

  @Test
  void aServerWithPasswordAndDatabase() throws Exception {
    try (RedisProcess server = RedisProcess.start("--requirepass", "open sesame")) {
      var application = Applications.withRedis()
          .withPropertyValues(
              "spring.data.redis.port=" + server.port(),
              "spring.data.redis.host=127.0.0.1",
              "spring.data.redis.database=3");
      application.withPropertyValues("spring.data.redis.password=open sesame").run(context -> {
        usesTheLocks(context);
        StringRedisTemplate lettuce = context.getBean(StringRedisTemplate.class);
        try (Lease lease = context.getBean(Locks.class).lock("seen").acquire()) {
          assertThat(lettuce.keys("*seen*"))
              .as("the same server, the same database")
              .isNotEmpty();
          assertThat(lease.isHeld()).isTrue();
        }
      });
      application
          .withPropertyValues("spring.data.redis.password=wrong")
          .run(context -> assertThat(org.assertj.core.api.Assertions.catchThrowableOfType(
                      LockException.class,
                      () -> context.getBean(Locks.class).lock("x").acquire())
                  .code())
              .isEqualTo(LockException.Code.AUTH_FAILED));
    }
  }

  @Test
  void aServerThatEncryptsWithTheCertificateOfAnSslBundle() throws Exception {
    Path key = directory.resolve("key.pem");
    Path certificate = directory.resolve("certificate.pem");
    Commands.run(
        "openssl",
        "req",
        "-x509",
        "-newkey",
        "rsa:2048",
        "-nodes",
        "-days",
        "2",
        "-subj",
        "/CN=syncguard test",
        "-addext",
        "subjectAltName=IP:127.0.0.1",
        "-keyout",
        key.toString(),
        "-out",
        certificate.toString());
    int port = RedisProcess.freePort();
    try (RedisProcess server = RedisProcess.start(
        "--tls-port", "" + port,
        "--tls-cert-file", certificate.toString(),
        "--tls-key-file", key.toString(),
        "--tls-ca-cert-file", certificate.toString(),
        "--tls-auth-clients", "no")) {
      assertThat(server.port()).isNotEqualTo(port);
      var encrypted = Applications.withRedis()
          .withPropertyValues(
              "spring.data.redis.host=127.0.0.1",
              "spring.data.redis.port=" + port,
              "spring.ssl.bundle.pem.redis.truststore.certificate=" + certificate.toUri());
      encrypted
          .withPropertyValues("spring.data.redis.ssl.bundle=redis")
          .run(RedisStarterIT::usesTheLocks);
      encrypted
          .withPropertyValues(
              "spring.data.redis.ssl.bundle=redis", "spring.data.redis.host=localhost")
          .run(context -> assertThat(refusal(context))
              .as("a certificate for another name")
              .contains("certificate"));
      encrypted
          .withPropertyValues("spring.data.redis.ssl.enabled=true")
          .run(context -> assertThat(refusal(context))
              .as("a certificate that the JVM does not trust")
              .contains("certificate"));
      var byUrl = encrypted.withPropertyValues(
          "spring.data.redis.url=rediss://nobody:secret@127.0.0.1:" + port);
      byUrl.run(context -> assertThat(refusal(context))
          .as("a URL asks for TLS as well, and the JVM does not trust the certificate")
          .contains("certificate"));
      encrypted
          .withPropertyValues(
              "spring.data.redis.url=rediss://127.0.0.1:" + port,
              "spring.data.redis.ssl.bundle=redis")
          .run(RedisStarterIT::usesTheLocks);
    }
  }

  private static @Nullable String refusal(AssertableApplicationContext context) {
    return org.assertj.core.api.Assertions.catchThrowableOfType(
            LockException.class, () -> context.getBean(Locks.class).lock("x").acquire())
        .getMessage();
  }

  @Test
  void theServerThatSentinelsWithAPasswordOfTheirOwnName() throws Exception {
    try (RedisProcess primary = RedisProcess.start("--requirepass", "servers");
        RedisProcess sentinel = RedisProcess.sentinel(
            primary, "sentinel auth-pass mymaster servers", "requirepass sentinels")) {
      Applications.withRedis()
          .withPropertyValues(
              "spring.data.redis.password=servers",
              "spring.data.redis.sentinel.master=mymaster",
              "spring.data.redis.sentinel.password=sentinels",
              "spring.data.redis.sentinel.nodes=127.0.0.1:" + sentinel.port())
          .run(RedisStarterIT::usesTheLocks);
    }
  }

  @Test
  void aCluster() throws Exception {
    try (RedisProcess node = RedisProcess.start("--cluster-enabled", "yes")) {
      try (Jedis jedis = new Jedis(new HostAndPort("127.0.0.1", node.port()))) {
        jedis.clusterAddSlotsRange(0, 16383);
        Eventually.holds(() -> jedis.clusterInfo().contains("cluster_state:ok"));
      }
      Applications.withRedis()
          .withPropertyValues("spring.data.redis.cluster.nodes=127.0.0.1:" + node.port())
          .run(RedisStarterIT::usesTheLocks);
    }
  }

  /** Spring Boot 3.5 has no such setting: what it does not know, it does not connect to. */
  @Test
  void primaryAndReplicasWithoutSentinelAreRefused() throws Exception {
    try (RedisProcess server = RedisProcess.start()) {
      Applications.withRedis()
          .withPropertyValues(
              "spring.data.redis.host=127.0.0.1",
              "spring.data.redis.port=" + server.port(),
              "spring.data.redis.masterreplica.nodes=127.0.0.1:1,127.0.0.1:2")
          .run(context -> {
            if (Applications.boot3()) {
              usesTheLocks(context);
            } else {
              assertThat(context).hasFailed();
              assertThat(context.getStartupFailure())
                  .hasStackTraceContaining("syncguard.redis.url");
            }
          });
    }
  }

  @Test
  void leasesAreGivenBackWhenTheApplicationEnds() throws Exception {
    try (RedisProcess server = RedisProcess.start()) {
      var application = Applications.withRedis()
          .withPropertyValues(
              "spring.data.redis.host=127.0.0.1", "spring.data.redis.port=" + server.port());
      application.run(other -> {
        Lease[] held = new Lease[1];
        application.run(context -> held[0] =
            context.getBean(Locks.class).lock("report").ttl(Duration.ofHours(1)).acquire());
        assertThat(held[0].isHeld()).isFalse();
        assertThat(other.getBean(Locks.class).isLocked("report")).isFalse();
      });
    }
  }
}
