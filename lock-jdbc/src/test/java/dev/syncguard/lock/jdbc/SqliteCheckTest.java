package dev.syncguard.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.Fence;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.spi.StoreCheck.Finding;
import dev.syncguard.lock.spi.StoreCheck.Severity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a look at the store finds. */
class SqliteCheckTest {

  private final SqliteFixture fixture = new SqliteFixture();
  private final SqliteLockBackend backend = fixture.open();

  @AfterEach
  void tidyUp() {
    backend.close();
    fixture.close();
  }

  private List<Finding> examine() {
    return backend.storeCheck().orElseThrow().examine(Cancellation.none());
  }

  private Finding finding(String subject) {
    return examine().stream()
        .filter(finding -> finding.subject().equals(subject))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aSoundStoreHasOnlyGoodNews() {
    assertThat(examine())
        .hasSize(8)
        .allSatisfy(finding -> assertThat(finding.severity()).isEqualTo(Severity.GOOD));
  }

  @Test
  void fencesThatRunOutAreReportedWithoutTheirKey() {
    fixture.presetFence(LockKey.of("the secret report"), Fence.WARN + 1);
    assertThat(finding("fences").severity()).isEqualTo(Severity.WARNING);
    assertThat(finding("fences").message()).contains("new key").doesNotContain("secret");
  }

  @Test
  void aFileThatOthersMayReadIsReported() throws IOException {
    Files.setPosixFilePermissions(fixture.file(), PosixFilePermissions.fromString("rw-r--r--"));
    assertThat(finding("access").severity()).isEqualTo(Severity.WARNING);
  }

  @Test
  void damageIsReported() {
    fixture.presetFence(LockKey.of("report"), Fence.MAX + 1);
    assertThat(finding("integrity").severity()).isEqualTo(Severity.FAILURE);
  }

  @Test
  void whatCannotBeArrangedHereIsJudgedByItsValue() {
    assertThat(SqliteCheck.journal("delete").severity()).isEqualTo(Severity.FAILURE);
    assertThat(SqliteCheck.fileSystem("nfs4").severity()).isEqualTo(Severity.FAILURE);
    assertThat(SqliteCheck.fileSystem("CIFS").severity()).isEqualTo(Severity.FAILURE);
    assertThat(SqliteCheck.fileSystem("ext4").severity()).isEqualTo(Severity.GOOD);
    assertThat(SqliteCheck.space(1 << 20).severity()).isEqualTo(Severity.WARNING);
    assertThat(SqliteCheck.space(1L << 30).severity()).isEqualTo(Severity.GOOD);
  }
}
