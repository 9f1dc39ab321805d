package dev.syncguard.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Encrypted connections reach those servers, and only those, that the JVM trusts under this name. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class RedisTlsIT {

  @TempDir
  Path directory;

  @Test
  void aTrustedServerIsUsedAndAnyOtherRefused() throws Exception {
    Path key = directory.resolve("key.pem");
    Path certificate = directory.resolve("certificate.pem");
    run(
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
    Path trusted = directory.resolve("trusted.p12");
    run(
        Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
        "-importcert",
        "-noprompt",
        "-file",
        certificate.toString(),
        "-alias",
        "redis",
        "-keystore",
        trusted.toString(),
        "-storetype",
        "PKCS12",
        "-storepass",
        "changeit");
    int port = freePort();
    try (RedisProcess server = RedisProcess.start(
        RedisBinary.SYSTEM,
        "--tls-port",
        Integer.toString(port),
        "--tls-cert-file",
        certificate.toString(),
        "--tls-key-file",
        key.toString(),
        "--tls-ca-cert-file",
        certificate.toString(),
        "--tls-auth-clients",
        "no")) {
      assertThat(server.pid()).isPositive();
      String trust = "-Djavax.net.ssl.trustStore=" + trusted;
      assertThat(hold(trust, "rediss://127.0.0.1:" + port)).contains("released true");
      assertThat(hold("-Dnothing", "rediss://127.0.0.1:" + port))
          .contains("LockException: The certificate of the Redis server is not trusted here")
          .doesNotContain("fence");
      assertThat(hold(trust, "rediss://localhost:" + port))
          .as("a certificate for another name")
          .contains("LockException: The certificate of the Redis server is not trusted here")
          .doesNotContain("fence");
      assertThat(hold(trust, "redis://127.0.0.1:" + port))
          .as("plain text to a port that encrypts")
          .contains("LockException: The Redis server encrypts on this port; use rediss://")
          .doesNotContain("fence");
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /** Lets a process of its own take and release a lock, and returns what it says. */
  private static String hold(String option, String url) throws Exception {
    return output(List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        option,
        "-Djavax.net.ssl.trustStorePassword=changeit",
        "-cp",
        ClassPath.ours(),
        Holder.class.getName(),
        url,
        "report",
        "60000"));
  }

  private static void run(String... command) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
  }

  private static String output(List<String> command) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
    return output;
  }
}
