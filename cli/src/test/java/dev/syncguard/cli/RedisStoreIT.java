package dev.syncguard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import redis.embedded.RedisServer;

/** Every command works on Redis, too. */
class RedisStoreIT {

  private static final String PASSWORD = "canary-3f2a";
  private static RedisServer server;
  private static String url;

  @RegisterExtension
  final RealProgram program = new RealProgram();

  @BeforeAll
  static void start() throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    server = RedisServer.newRedisServer()
        .port(port)
        .setting("bind 127.0.0.1")
        .setting("save \"\"")
        .setting("requirepass " + PASSWORD)
        .build();
    server.start();
    url = "redis://127.0.0.1:" + port;
  }

  @AfterAll
  static void stop() throws Exception {
    server.stop();
  }

  private Answer syncguard(String... arguments) {
    return program
        .with("SYNCGUARD_STORE", url)
        .with("SYNCGUARD_REDIS_PASSWORD", PASSWORD)
        .run(arguments);
  }

  @Test
  void aCommandRunsUnderALockOnRedis() {
    Answer answer = syncguard("run", "demo", "--", "sh", "-c", "echo fence $SYNCGUARD_FENCE");
    assertThat(answer.exitCode()).as(answer.err()).isZero();
    assertThat(answer.out()).contains("fence 000000000000001");
    assertThat(syncguard("is-locked", "demo").exitCode()).isEqualTo(1);
  }

  @Test
  void aLockOutlivesItsCommandAndIsListed() {
    assertThat(syncguard("acquire", "held").exitCode()).isZero();
    assertThat(syncguard("is-locked", "held").exitCode()).isZero();
    assertThat(syncguard("list").exitCode()).isZero();
    assertThat(syncguard("run", "--no-wait", "held", "--", "true").exitCode()).isNotZero();
  }

  @Test
  void keysCanHaveAnotherPrefix() {
    assertThat(syncguard("acquire", "apart", "--store", url + "?prefix={other}").exitCode())
        .isZero();
    assertThat(syncguard("is-locked", "apart").exitCode()).isEqualTo(1);
  }

  @Test
  void theDoctorSaysThatThisServerForgetsItsFences() {
    Answer answer = syncguard("doctor");
    assertThat(answer.out() + answer.err()).contains("append-only file is off");
  }

  @Test
  void aWrongPasswordIsRefusedAndNotShown() {
    Answer answer = program
        .with("SYNCGUARD_STORE", url)
        .with("SYNCGUARD_REDIS_PASSWORD", "wrong-" + PASSWORD)
        .run("list");
    assertThat(answer.exitCode()).isNotZero();
    assertThat(answer.out() + answer.err()).doesNotContain(PASSWORD);
  }

  @Test
  void aServerThatIsNotThereIsUnavailable() {
    Answer missing = syncguard("list", "--store", "redis://127.0.0.1:1");
    assertThat(missing.exitCode()).isEqualTo(ExitCode.UNAVAILABLE);
  }
}
