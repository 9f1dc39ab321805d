package dev.syncguard.lock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Fence;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.spi.FenceWarning;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class FenceWarningTest {

  private static final LockKey KEY = LockKey.of("secret-key");

  private final Logger log = Logger.getLogger(FenceWarning.class.getName());
  private final Recorder recorder = new Recorder();

  @BeforeEach
  void listen() {
    log.addHandler(recorder);
    log.setUseParentHandlers(false);
  }

  @AfterEach
  void restore() {
    log.removeHandler(recorder);
    log.setUseParentHandlers(true);
  }

  @Test
  void aKeyWithPlentyOfFencesLeftIsNotMentioned() {
    Fence last = new Fence(Fence.WARN);
    assertThat(FenceWarning.check(last, KEY)).isSameAs(last);
    assertThat(recorder.records).isEmpty();
  }

  @Test
  void aKeyWhoseFencesRunOutIsToldWithWhatToDo() {
    Fence first = new Fence(Fence.WARN + 1);
    assertThat(FenceWarning.check(first, KEY)).isSameAs(first);
    assertThat(recorder.records).hasSize(1);
    assertThat(recorder.records.get(0).getLevel()).isEqualTo(Level.WARNING);
    assertThat(recorder.records.get(0).getMessage())
        .contains("90000000000001", KEY.hash().toString(), "move this resource to a new key")
        .doesNotContain("secret-key");
  }

  private static final class Recorder extends Handler {
    private final List<LogRecord> records = new ArrayList<>();

    @Override
    public void publish(LogRecord entry) {
      records.add(entry);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
