package dev.syncguard.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.syncguard.lock.LockException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGProperty;
import org.postgresql.ds.PGSimpleDataSource;

class PostgresAddressTest {

  private static PGSimpleDataSource parse(String url, Map<String, String> environment) {
    return PostgresAddress.parse(url, environment).source();
  }

  @Test
  void aUrlNamesServerDatabaseAndUser() {
    PGSimpleDataSource source =
        parse("postgresql://scott:ti%40ger@db.example:6543/shop?sslmode=verify-full", Map.of());
    assertThat(source.getServerNames()).containsExactly("db.example");
    assertThat(source.getPortNumbers()).containsExactly(6543);
    assertThat(source.getDatabaseName()).isEqualTo("shop");
    assertThat(source.getUser()).isEqualTo("scott");
    assertThat(source.getPassword()).isEqualTo("ti@ger");
    assertThat(source.getSslMode()).isEqualTo("verify-full");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"postgres://db/shop", "jdbc:postgresql://db/shop", "postgresql://db:5432/shop"})
  void thereIsAStandardPortAndMoreThanOneSpelling(String url) {
    PGSimpleDataSource source = parse(url, Map.of());
    assertThat(source.getServerNames()).containsExactly("db");
    assertThat(source.getPortNumbers()).containsExactly(5432);
  }

  @Test
  void ofSeveralHostsThePrimaryIsMeant() {
    PGSimpleDataSource source = parse("postgresql://one,two:6000/shop", Map.of());
    assertThat(source.getServerNames()).containsExactly("one", "two");
    assertThat(source.getPortNumbers()).containsExactly(5432, 6000);
    assertThat(source.getTargetServerType()).isEqualTo("primary");
  }

  @Test
  void theEnvironmentKnowsThePasswordBest() {
    String url = "postgresql://a:b@db/shop";
    assertThat(parse(url, Map.of("PGUSER", "c", "PGPASSWORD", "d")).getPassword())
        .isEqualTo("d");
    PGSimpleDataSource source = parse(
        url,
        Map.of(
            "PGPASSWORD", "d", "SYNCGUARD_POSTGRES_USER", "e", "SYNCGUARD_POSTGRES_PASSWORD", "f"));
    assertThat(source.getUser()).isEqualTo("e");
    assertThat(source.getPassword()).isEqualTo("f");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "postgresql:",
        "postgresql://pass-word@",
        "postgresql://a:pass-word@db",
        "postgresql://a:pass-word@db/",
        "postgresql://a:pass-word@db:0/x",
        "postgresql://a:pass-word@db:99999/x",
        "postgresql://a:pass-word@db:1x/x",
        "postgresql://a:pass-word%zz@db/x",
        "postgresql://a:pass-word@db/x?sslmode",
        "postgresql://a:pass-word@db/x?socketFactory=evil.Factory",
        "postgresql://a:pass-word@db/x?loggerFile=/etc/passwd",
        "mysql://a:pass-word@db/x"
      })
  void anythingElseIsRefusedWithoutRepeatingIt(String url) {
    LockException refusal = catchThrowableOfType(LockException.class, () -> parse(url, Map.of()));
    assertThat(refusal).isNotNull();
    assertThat(refusal.code()).isEqualTo(LockException.Code.INVALID_ARGUMENT);
    assertThat(refusal.getMessage()).doesNotContain("pass-word").doesNotContain("evil");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"sslmode=bogus", "sslmode=", "sslmode=VERIFY-FULL", "channel_binding=yes"})
  void anOptionWithAnUnknownValueIsToldWithTheKnownOnes(String option) {
    LockException refusal = catchThrowableOfType(
        LockException.class, () -> parse("postgresql://db/shop?" + option, Map.of()));
    assertThat(refusal.code()).isEqualTo(LockException.Code.INVALID_ARGUMENT);
    assertThat(refusal).hasMessageContaining(option.split("=", -1)[0] + " is one of disable");
  }

  @Test
  void itsTextShowsNoPassword() {
    assertThat(PostgresAddress.parse("postgresql://a:pass-word@db/x", Map.of()).toString())
        .doesNotContain("pass-word");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 65_535})
  void everyPortThatThereIsIsUnderstood(int port) {
    assertThat(parse("postgresql://db:" + port + "/x", Map.of()).getPortNumbers())
        .containsExactly(port);
  }

  @Test
  void aUserMayStandWithoutAPasswordAndAPasswordWithoutAUser() {
    assertThat(parse("postgresql://a@db/x", Map.of()).getUser()).isEqualTo("a");
    assertThat(parse("postgresql://a@db/x", Map.of()).getPassword()).isNull();
    assertThat(parse("postgresql://:b@db/x", Map.of()).getUser()).isNull();
    assertThat(parse("postgresql://:b@db/x", Map.of()).getPassword()).isEqualTo("b");
  }

  @Test
  void theServerLearnsWhoWeAreAndTheLogNoDetails() {
    PGSimpleDataSource source = parse("postgresql://db/x", Map.of());
    assertThat(source.getApplicationName()).isEqualTo("syncguard");
    assertThat(source.getLogServerErrorDetail()).as("details may quote keys").isFalse();
    assertThat(source.getTargetServerType()).as("there is no choice").isEqualTo("any");
  }

  @Test
  void connectingHasALimitInFractionsOfASecond() {
    PostgresAddress address = PostgresAddress.parse("postgresql://db.invalid/x", Map.of());
    address.connect(Duration.ofMillis(1500)).close();
    assertThat(address.source().getProperty(PGProperty.LOGIN_TIMEOUT)).isEqualTo("1.5");
  }
}
