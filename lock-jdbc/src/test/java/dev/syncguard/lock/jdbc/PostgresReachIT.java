package dev.syncguard.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockException.Code;
import dev.syncguard.lock.testkit.TemporaryDirectory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Whatever keeps us from a server is told at once and in its own words.
 *
 * <p>The timeout is an hour, so that whoever tries again and again until it is over does not end.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class PostgresReachIT {

  private static TemporaryDirectory directory;
  private static PostgresServer server;

  @BeforeAll
  static void start() throws IOException {
    directory = new TemporaryDirectory();
    certificate("server");
    certificate("stranger");
    Path access = Files.writeString(
        directory.path().resolve("hba"), "hostssl all all 127.0.0.1/32 scram-sha-256\n");
    server = PostgresServer.start(
        PostgresBinaries.V18,
        "fsync=off",
        "ssl=on",
        "ssl_cert_file=" + file("server.crt"),
        "ssl_key_file=" + file("server.key"),
        "hba_file=" + access);
  }

  @AfterAll
  static void stop() {
    server.close();
    directory.close();
  }

  private static Path file(String name) {
    return directory.path().resolve(name);
  }

  private static void certificate(String name) {
    try {
      int status = new ProcessBuilder(
              "openssl",
              "req",
              "-x509",
              "-newkey",
              "rsa:2048",
              "-nodes",
              "-days",
              "2",
              "-subj",
              "/CN=localhost",
              "-keyout",
              file(name + ".key").toString(),
              "-out",
              file(name + ".crt").toString())
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start()
          .waitFor();
      assertThat(status).as("openssl").isZero();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static LockException refusal(String url) {
    try (PostgresLockBackend backend =
        PostgresLockBackend.builder(url).timeout(Duration.ofHours(1)).build()) {
      LockException refusal = catchThrowableOfType(LockException.class, backend::verifySchema);
      assertThat(refusal).isNotNull();
      assertThat(refusal.getMessage()).doesNotContain(PostgresServer.PASSWORD);
      return refusal;
    }
  }

  @Test
  void aTrustedCertificateIsEnough() {
    try (PostgresLockBackend backend = PostgresLockBackend.connect(
        server.url() + "?sslmode=verify-ca&sslrootcert=" + file("server.crt"))) {
      backend.setupSchema();
      backend.verifySchema();
    }
  }

  @Test
  void aRefusedPort() throws IOException {
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    LockException refusal = refusal(PostgresServer.url(port, "postgres"));
    assertThat(refusal.code()).isEqualTo(Code.SERVICE_UNAVAILABLE);
    assertThat(refusal).hasMessageContaining("check that it runs");
  }

  @Test
  void aWrongPassword() {
    LockException refusal = refusal(server.url().replace(PostgresServer.PASSWORD, "guess"));
    assertThat(refusal.code()).isEqualTo(Code.AUTH_FAILED);
    assertThat(refusal).hasMessageContaining("user and password");
  }

  @Test
  void noPassword() {
    LockException refusal = refusal(server.url().replace(":" + PostgresServer.PASSWORD, ""));
    assertThat(refusal.code()).isEqualTo(Code.AUTH_FAILED);
    assertThat(refusal).hasMessageContaining("wants a password");
  }

  @Test
  void aDatabaseThatIsNotThere() {
    LockException refusal = refusal(PostgresServer.url(server.port(), "nowhere"));
    assertThat(refusal.code()).isEqualTo(Code.INVALID_ARGUMENT);
  }

  @Test
  void noEncryptionWhereTheServerWantsIt() {
    LockException refusal = refusal(server.url() + "?sslmode=disable");
    assertThat(refusal.code()).isEqualTo(Code.AUTH_FAILED);
    assertThat(refusal).hasMessageContaining("sslmode=require");
  }

  @Test
  void encryptionWhereTheServerHasNone() {
    PostgresServer plain = PostgresServer.shared(PostgresBinaries.V18);
    LockException refusal = refusal(plain.url() + "?sslmode=require");
    assertThat(refusal.code()).isEqualTo(Code.AUTH_FAILED);
    assertThat(refusal).hasMessageContaining("does not offer the encryption");
  }

  @Test
  void aCertificateThatIsNotTrusted() {
    LockException refusal =
        refusal(server.url() + "?sslmode=verify-full&sslrootcert=" + file("stranger.crt"));
    assertThat(refusal.code()).isEqualTo(Code.AUTH_FAILED);
    assertThat(refusal).hasMessageContaining("certificate").hasMessageContaining("sslrootcert");
  }

  @Test
  void anAuthorityWhoseCertificateCannotBeRead() {
    LockException refusal =
        refusal(server.url() + "?sslmode=verify-full&sslrootcert=" + file("missing.crt"));
    assertThat(refusal.code()).isEqualTo(Code.AUTH_FAILED);
    assertThat(refusal).hasMessageContaining("sslrootcert");
  }

  @Test
  void somethingThatExpectsTlsFromTheFirstByte() throws Exception {
    byte[] alert = {21, 3, 3, 0, 2, 2, 10};
    try (ServerSocket proxy = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread answering = new Thread(() -> {
        try {
          while (true) {
            try (Socket client = proxy.accept()) {
              client.getOutputStream().write(alert);
              client.getOutputStream().flush();
              client.getInputStream().read(new byte[1000]);
            }
          }
        } catch (IOException e) {
          // The test is over.
        }
      });
      answering.start();
      for (String mode : List.of("disable", "require")) {
        LockException refusal =
            refusal(PostgresServer.url(proxy.getLocalPort(), "postgres") + "?sslmode=" + mode);
        assertThat(refusal).hasMessageContaining("TLS from the first byte");
      }
    }
  }
}
