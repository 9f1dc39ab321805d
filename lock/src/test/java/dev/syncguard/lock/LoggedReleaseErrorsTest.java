package dev.syncguard.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.ReleaseErrorHandler.Failure;
import dev.syncguard.lock.ReleaseErrorHandler.Source;
import dev.syncguard.lock.lease.LoggedReleaseErrors;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LoggedReleaseErrorsTest {

  private final LockException error =
      new LockException(LockException.Code.NETWORK_TIMEOUT, "No answer");
  private static final LockKey KEY = LockKey.of("secret-key");
  private static final LockId ID = LockId.random(new Random(1));

  private record Entry(
      System.Logger.Level level, String message, @Nullable Throwable thrown) {}

  private Entry logged(boolean withStackTrace, Source source) {
    return logged(withStackTrace, source, error);
  }

  private static Entry logged(boolean withStackTrace, Source source, LockException error) {
    Recorder log = new Recorder();
    Failure failure = new Failure(KEY, ID, source);
    new LoggedReleaseErrors(log, withStackTrace).releaseFailed(error, failure);
    assertThat(log.entries).hasSize(1);
    assertThat(log.entries.get(0).level).isEqualTo(System.Logger.Level.WARNING);
    assertThat(log.entries.get(0).message)
        .contains(error.code().specName())
        .contains("onReleaseError")
        .doesNotContain("secret-key")
        .doesNotContain(ID.value());
    return log.entries.get(0);
  }

  @Test
  void aFailureIsAWarningThatSaysWhatHappensNext() {
    Entry warning = logged(false, Source.CLOSE);
    assertThat(warning.thrown).isNull();
    assertThat(warning.message).contains("tried again");
    assertThat(logged(false, Source.ABANDONED_ACQUIRE).message).contains("ended by itself");
  }

  @Test
  void nobodyIsPromisedThatABackendThatWasClosedIsAskedAgain() {
    Entry warning = logged(false, Source.CLOSE, new BackendClosedException());
    assertThat(warning.message).contains("close locks before").doesNotContain("again");
  }

  @Test
  void debuggingShowsTheWholeError() {
    assertThat(logged(true, Source.CLOSE).thrown).isSameAs(error);
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
