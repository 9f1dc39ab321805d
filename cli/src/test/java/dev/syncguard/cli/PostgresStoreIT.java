package dev.syncguard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
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
  void whoOnlyLooksCreatesNoTables() throws Exception {
    try (Connection connection = server.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE DATABASE untouched");
    }
    String untouched = url.replace("/postgres", "/untouched");
    assertThat(syncguard("is-locked", "demo", "--store", untouched).exitCode()).isEqualTo(2);
    assertThat(syncguard("lookup", "demo", "--store", untouched).exitCode()).isEqualTo(2);
    assertThat(syncguard("doctor", "--store", untouched).exitCode()).isEqualTo(2);
    try (Connection connection = server.getDatabase("postgres", "untouched").getConnection();
        Statement statement = connection.createStatement();
        ResultSet tables = statement.executeQuery(
            "SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace")) {
      assertThat(tables.next()).isTrue();
      assertThat(tables.getLong(1)).isZero();
    }
  }

  @Test
  void theDoctorNamesTheServer() {
    assertThat(syncguard("run", "other", "--", "true").exitCode()).isZero();
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
