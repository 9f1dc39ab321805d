package dev.syncguard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Every command works on PostgreSQL, too. */
class PostgresStoreIT {

  private static final String PASSWORD = "canary-7c1d";
  private static EmbeddedPostgres server;
  private static String url;

  @RegisterExtension
  final RealProgram program = new RealProgram();

  @BeforeAll
  static void start() throws Exception {
    server = EmbeddedPostgres.start();
    url = "postgresql://127.0.0.1:" + server.getPort() + "/postgres";
  }

  @AfterAll
  static void stop() throws Exception {
    server.close();
  }

  private Answer syncguard(String... arguments) {
    return program
        .with("SYNCGUARD_STORE", url)
        .with("SYNCGUARD_POSTGRES_USER", "postgres")
        .with("SYNCGUARD_POSTGRES_PASSWORD", PASSWORD)
        .run(arguments);
  }

  @Test
  void aCommandRunsUnderALockInPostgres() {
    Answer answer = syncguard("run", "demo", "--", "sh", "-c", "echo fence $SYNCGUARD_FENCE");
    assertThat(answer.exitCode()).as(answer.err()).isZero();
    assertThat(answer.out()).contains("fence 000000000000001");
    assertThat(answer.err()).isEmpty();
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
  void theDoctorNamesTheServer() {
    Answer answer = syncguard("doctor");
    assertThat(answer.out() + answer.err()).contains("PostgreSQL 18");
  }

  @Test
  void aServerThatIsAwayIsUnavailableAndNoPasswordIsShown() {
    Answer answer =
        syncguard("list", "--store", "postgresql://me:" + PASSWORD + "@127.0.0.1:1/nothing");
    assertThat(answer.exitCode()).isEqualTo(69);
    assertThat(answer.out() + answer.err()).doesNotContain(PASSWORD);
  }
}
