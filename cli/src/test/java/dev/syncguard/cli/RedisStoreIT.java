package dev.syncguard.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.syncguard.cli.RealProgram.Running;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import redis.clients.jedis.Jedis;
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

  @ParameterizedTest
  @ValueSource(strings = {"+1h", "-1h"})
  void aWallClockThatJumpsDoesNotStopACommand(String jump) throws Exception {
    WallClock wallClock = WallClock.of(program, "+0");
    Running running = program
        .with("SYNCGUARD_STORE", url)
        .with("SYNCGUARD_REDIS_PASSWORD", PASSWORD)
        .start(
            "run", "--ttl", "6s", "jump" + jump, "--", "bash", "-c", "echo ready; read; date +%s");
    running.awaitOutput("ready");
    wallClock.set(jump);
    Thread.sleep(3_000); // Nothing tells that nothing happens. It looked every second.
    running.type("go\n");

    Answer answer = running.answer();
    assertThat(answer.err()).as("a warning at most").doesNotContain("syncguard: ");
    assertThat(answer.exitCode()).isZero();
    assertThat(Long.parseLong(answer.out().replaceAll("\\D", "")))
        .as("the clock that it saw")
        .isNotCloseTo(System.currentTimeMillis() / 1000, within(3_000L));
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
  void aPasswordThatIsNotEncodedIsExplainedAndNotShown() {
    Answer answer = program
        .with("SYNCGUARD_STORE", "redis://user:pa%zz@127.0.0.1:1")
        .with("SYNCGUARD_DEBUG", "true")
        .run("list");
    assertThat(answer.exitCode()).isEqualTo(ExitCode.WRONG_USAGE);
    assertThat(answer.err()).contains("%25");
    assertThat(answer.out() + answer.err()).doesNotContain("zz");
  }

  @Test
  void aDatabaseThatIsNotThereIsNamed() {
    Answer answer = syncguard("list", "--store", url + "/99");
    assertThat(answer.err()).contains("no database of this number");
  }

  @Test
  void theDoctorWorksForAUserThatMayOnlyLock() {
    try (Jedis admin = new Jedis(URI.create(url))) {
      admin.auth(PASSWORD);
      admin.aclSetUser("locks", "on", ">only-" + PASSWORD, "~syncguard:*", "+@connection", "+eval");
    }
    Answer answer = program
        .with("SYNCGUARD_STORE", url)
        .with("SYNCGUARD_REDIS_USER", "locks")
        .with("SYNCGUARD_REDIS_PASSWORD", "only-" + PASSWORD)
        .run("doctor");
    assertThat(answer.exitCode()).as(answer.err()).isEqualTo(1);
    assertThat(answer.out() + answer.err()).contains("may not use INFO").doesNotContain(PASSWORD);
  }

  @Test
  void aServerThatIsNotThereIsUnavailable() {
    Answer missing = syncguard("list", "--store", "redis://127.0.0.1:1");
    assertThat(missing.exitCode()).isEqualTo(ExitCode.UNAVAILABLE);
  }
}
