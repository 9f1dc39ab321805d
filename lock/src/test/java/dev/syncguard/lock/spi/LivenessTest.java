package dev.syncguard.lock.spi;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LivenessTest {

  private static final long END = 10_000;

  @Test
  void aLockIsLiveUntilASecondAfterItsExpiry() {
    assertThat(Liveness.isLive(END, END)).isTrue();
    assertThat(Liveness.isLive(END, END + 999)).isTrue();
    assertThat(Liveness.isLive(END, END + 1000)).isFalse();
  }

  @Test
  void itIsCleanedAwayOnlyAfterMoreThanTwoSeconds() {
    assertThat(Liveness.isCleanable(END, END + 2000)).isFalse();
    assertThat(Liveness.isCleanable(END, END + 2001)).isTrue();
  }

  @Test
  void storesAreToldTheSameRules() {
    assertThat(Liveness.inSql("ends", "now")).isEqualTo("(ends > now - 1000)");
    assertThat(Liveness.cleanableInSql("ends", "now")).isEqualTo("(now - ends > 2000)");
    assertThat(Liveness.IN_LUA).contains("expiresAtMs > nowMs - 1000");
    assertThat(Liveness.CLEANABLE_IN_LUA).contains("nowMs - expiresAtMs > 2000");
  }
}
