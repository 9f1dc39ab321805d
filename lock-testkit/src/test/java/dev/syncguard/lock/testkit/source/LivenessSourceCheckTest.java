package dev.syncguard.lock.testkit.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Planted sources: each way to compare an expiry is found, and what is allowed is not. */
class LivenessSourceCheckTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "if (row.expiresAtMs > nowMs) {",
        "return expiresAt <= now && held;",
        "boolean live = nowMs - 1000 < row.expiresAtMs();",
        "while (clock.millis() >= lock.getExpiryMillis()) {",
        "return nowMs - row.expiresAtMs > 2000;",
        "if (expiresAt.isAfter(clock.instant())) {",
        "if (now.isBefore(info.expiresAt())) {",
        "return info.expiresAt().compareTo(now) > 0;",
        "return Long.compare(expiresAtMs, nowMs) == 1;",
        "return Duration.between(now, expiresAt).isNegative();",
        "query(\"SELECT 1 FROM locks WHERE key = ? AND expires_at_ms > ?\");",
        "query(\"UPDATE locks SET x = 1 WHERE expires_at_ms>\" + NOW);",
        "query(\"DELETE FROM locks WHERE expires_at_ms\"\n    + \" <= ?\");",
        "String sql = \"\"\"\n  SELECT * FROM locks\n  WHERE ? < expires_at_ms\n  \"\"\";",
        "query(\"... WHERE expires_at_ms BETWEEN ? AND ?\");",
        "eval(\"if tonumber(data.expiresAtMs) > now then return 0 end\");"
      })
  void aComparisonInJavaIsFound(String code) {
    assertThat(LivenessSourceCheck.suspicious("Backend.java", code)).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "if (Liveness.isLive(row.expiresAtMs, nowMs)) {",
        "query(\"... WHERE key = ? AND \" + Liveness.inSql(\"expires_at_ms\", NOW) + \" AND x > 3\");",
        "rows.sort(Comparator.comparingLong(Row::expiresAtMs));",
        "query(\"SELECT * FROM locks ORDER BY expires_at_ms LIMIT ?\");",
        "query(\"UPDATE locks SET expires_at_ms = ? WHERE lock_id = ?\");",
        "Optional<Instant> expiresAt = find(id);",
        "Map<LockKey, Expiry> expiries = new HashMap<>();",
        "// live while expiresAt > now",
        "/** Live while expiresAt > now. */",
        "/* expiresAt > now */ int x;",
        "char quote = '\"'; // expiresAt > now",
        "if (attempts < 3 && write(expiresAtMs)) {",
        "return expiresAtMs == other.expiresAtMs;",
        "rows.map(row -> row.expiresAtMs);",
        "String column = \"expires_at_ms\";\nString advice = \"must be > 0\";"
      })
  void whatIsAllowedInJavaIsNotFound(String code) {
    assertThat(LivenessSourceCheck.suspicious("Backend.java", code)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "if (row.expiresAtMs > now) return row",
        "val live = row.expiresAt\n    > now",
        "fun isLive(row: Row) = row.expiresAt.isAfter(clock.instant())",
        "connection.query(\"select 1 from locks where expires_at_ms > ?\")",
        "val sql = \"\"\"\n  select * from locks\n  where ? < expires_at_ms\n\"\"\""
      })
  void aComparisonInKotlinIsFound(String code) {
    assertThat(LivenessSourceCheck.suspicious("Backend.kt", code)).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "val live = rows.filter { Liveness.isLive(it.expiresAtMs, now) }",
        "val expiresAt = now + ttl.millis()\nval many = rows.size > 3",
        "val rows: Map<LockKey, Expiry> = mutableMapOf()",
        "// live while expiresAt > now",
        "rows.sortedBy { it.expiresAtMs }"
      })
  void whatIsAllowedInKotlinIsNotFound(String code) {
    assertThat(LivenessSourceCheck.suspicious("Backend.kt", code)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT key FROM locks WHERE expires_at_ms > $1;",
        "DELETE FROM locks WHERE now_ms - expires_at_ms>=2000;",
        "CREATE INDEX live ON locks (key) WHERE expires_at_ms > 0;"
      })
  void aComparisonInSqlIsFound(String sql) {
    assertThat(LivenessSourceCheck.suspicious("schema.sql", sql)).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "CREATE TABLE locks (key text, expires_at_ms bigint NOT NULL, CHECK (fence > 0));",
        "CREATE INDEX ends ON locks (expires_at_ms);",
        "-- live while expires_at_ms > now\nSELECT 1;"
      })
  void whatIsAllowedInSqlIsNotFound(String sql) {
    assertThat(LivenessSourceCheck.suspicious("schema.sql", sql)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "if data.expiresAtMs > nowMs - tolerance then return 0 end",
        "local live = nowMs<tonumber(data['expiresAtMs'])"
      })
  void aComparisonInLuaIsFound(String lua) {
    assertThat(LivenessSourceCheck.suspicious("acquire.lua", lua)).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "if isLive(tonumber(data.expiresAtMs), nowMs) then return 0 end",
        "-- expiresAtMs > nowMs\nlocal expiresAtMs = nowMs + ttlMs",
        "--[[ expiresAtMs\n > nowMs ]] return 1"
      })
  void whatIsAllowedInLuaIsNotFound(String lua) {
    assertThat(LivenessSourceCheck.suspicious("acquire.lua", lua)).isEmpty();
  }

  @Test
  void allSourcesBelowADirectoryAreRead(@TempDir Path directory) throws Exception {
    Path deep = Files.createDirectories(directory.resolve("a/b"));
    Files.writeString(deep.resolve("Good.java"), "int x;");
    Files.writeString(deep.resolve("notes.txt"), "expiresAt > now");
    assertThat(LivenessSourceCheck.check(directory)).isEmpty();
    Files.writeString(deep.resolve("bad.lua"), "return expiresAt > now");
    assertThat(LivenessSourceCheck.check(directory))
        .containsExactly(
            new LivenessSourceCheck.Finding(deep.resolve("bad.lua"), "expiresAt > now"));
  }

  @Test
  void aDirectoryWithoutSourcesProvesNothing(@TempDir Path directory) {
    assertThatThrownBy(() -> LivenessSourceCheck.check(directory))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
