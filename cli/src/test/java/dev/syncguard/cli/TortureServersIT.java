package dev.syncguard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.firestore.server.FirestoreServer;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import redis.embedded.RedisServer;

/** Campaigns on servers, whose workers are cut off as well; they run side by side, because most of the time they wait. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TortureServersIT {

  private static final Duration PATIENCE = Duration.ofMinutes(4);

  private record Campaign(RealProgram program, RealProgram.Running running) {}

  private final Map<String, Campaign> campaigns = new HashMap<>();
  private final List<AutoCloseable> opened = new ArrayList<>();

  @BeforeAll
  void begin() throws Exception {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    RedisServer redis = RedisServer.newRedisServer()
        .port(port)
        .setting("bind 127.0.0.1")
        .setting("save \"\"")
        .build();
    redis.start();
    opened.add(redis::stop);
    EmbeddedPostgres postgres = EmbeddedPostgres.start();
    opened.add(postgres);
    FirestoreServer firestore = FirestoreServer.builder().strictIndexes(true).start();
    opened.add(firestore);

    torture("redis", program().with("SYNCGUARD_STORE", "redis://127.0.0.1:" + port));
    torture(
        "postgres",
        program()
            .with("SYNCGUARD_STORE", "postgresql://127.0.0.1:" + postgres.getPort() + "/postgres")
            .with("SYNCGUARD_POSTGRES_USER", "postgres")
            .with("SYNCGUARD_POSTGRES_PASSWORD", "postgres"));
    torture(
        "firestore",
        program()
            .with("SYNCGUARD_STORE", "firestore://demo-torture")
            .with("FIRESTORE_EMULATOR_HOST", firestore.emulatorHost()));
  }

  private RealProgram program() throws Exception {
    RealProgram program = new RealProgram().open();
    opened.add(program);
    return program;
  }

  private void torture(String store, RealProgram program) {
    RealProgram.Running running = program.start(
        "torture",
        "--minutes",
        "0.2",
        "--seed",
        "5",
        "--workers",
        "2",
        "--keys",
        "2",
        "--patience",
        "30s",
        "--report",
        "out",
        "--json");
    campaigns.put(store, new Campaign(program, running));
  }

  @AfterAll
  void end() throws Exception {
    for (int i = opened.size() - 1; i >= 0; i--) {
      opened.get(i).close();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"redis", "postgres", "firestore"})
  void aSoundServerIsAccusedOfNothingAndNoLockStays(String store) throws Exception {
    Campaign campaign = Objects.requireNonNull(campaigns.get(store));
    Answer answer = campaign.running.answer(PATIENCE);
    assertThat(answer.exitCode()).as(answer.toString()).isZero();
    assertThat(answer.out()).contains("\"ok\":true", "\"violations\":0");
    String report = Files.readString(campaign.program.file("out").resolve("report.json"));
    assertThat(report).contains("\"store\":\"" + store);
    assertThat(report).as("what only a network suffers").containsPattern("-re(quests|plies)\":\\d");
    assertThat(report).contains("\"questions\":{\"kept\":", "\"broken\":0");
    assertThat(campaign.program.run("list", "--json").out()).doesNotContain("syncguard-torture");
  }
}
