package dev.syncguard.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.ReleaseErrorHandler.Failure;
import dev.syncguard.lock.ReleaseErrorHandler.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LoggedReleaseErrorsTest {

  private final LockException error =
      new LockException(LockException.Code.NETWORK_TIMEOUT, "No answer");
  private static final Failure FAILURE =
      new Failure(LockKey.of("secret-key"), LockId.random(new Random(1)), Source.CLOSE);

  private record Entry(
      System.Logger.Level level, String message, @Nullable Throwable thrown) {}

  private Entry logged(boolean debug, boolean development) {
    Recorder log = new Recorder();
    new LoggedReleaseErrors(log, debug, development).releaseFailed(error, FAILURE);
    assertThat(log.entries).hasSize(1);
    assertThat(log.entries.get(0).message)
        .contains("NetworkTimeout")
        .contains("onReleaseError")
        .doesNotContain("secret-key")
        .doesNotContain(FAILURE.lockId().value());
    return log.entries.get(0);
  }

  @Test
  void productionIsQuiet() {
    assertThat(logged(false, false).level).isEqualTo(System.Logger.Level.DEBUG);
  }

  @Test
  void developmentIsWarned() {
    Entry warning = logged(false, true);
    assertThat(warning.level).isEqualTo(System.Logger.Level.WARNING);
    assertThat(warning.thrown).isNull();
  }

  @Test
  void debuggingShowsTheWholeError() {
    Entry warning = logged(true, false);
    assertThat(warning.level).isEqualTo(System.Logger.Level.WARNING);
    assertThat(warning.thrown).isSameAs(error);
  }

  private static final class Recorder implements System.Logger {
    private final List<Entry> entries = new ArrayList<>();

    @Override
    public String getName() {
      return "recorder";
    }

    @Override
    public boolean isLoggable(Level level) {
      return true;
    }

    @Override
    public void log(
        Level level,
        @Nullable ResourceBundle bundle,
        @Nullable String message,
        @Nullable Throwable thrown) {
      entries.add(new Entry(level, String.valueOf(message), thrown));
    }

    @Override
    public void log(
        Level level,
        @Nullable ResourceBundle bundle,
        @Nullable String format,
        @Nullable Object... parameters) {
      entries.add(new Entry(level, String.valueOf(format), null));
    }
  }
}
