package dev.syncguard.lock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.ReleaseErrorHandler.Failure;
import dev.syncguard.lock.ReleaseErrorHandler.Source;
import dev.syncguard.lock.lease.LoggedReleaseErrors;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LoggedReleaseErrorsTest {

  private final LockException error =
      new LockException(LockException.Code.NETWORK_TIMEOUT, "No answer");
  private static final LockKey KEY = LockKey.of("secret-key");
  private static final LockId ID = LockId.random(new Random(1));

  private RecordedLog.Entry logged(boolean withStackTrace, Source source) {
    return logged(withStackTrace, source, error);
  }

  private static RecordedLog.Entry logged(
      boolean withStackTrace, Source source, LockException error) {
    RecordedLog log = new RecordedLog();
    Failure failure = new Failure(KEY, ID, source);
    new LoggedReleaseErrors(log, withStackTrace).releaseFailed(error, failure);
    assertThat(log.entries()).hasSize(1);
    RecordedLog.Entry entry = log.entries().get(0);
    assertThat(entry.level()).isEqualTo(System.Logger.Level.WARNING);
    assertThat(entry.message())
        .contains(error.code().specName())
        .contains("onReleaseError")
        .doesNotContain("secret-key")
        .doesNotContain(ID.value());
    return entry;
  }

  @Test
  void aFailureIsAWarningThatSaysWhatHappensNext() {
    RecordedLog.Entry warning = logged(false, Source.CLOSE);
    assertThat(warning.thrown()).isNull();
    assertThat(warning.message()).contains("tried again");
    assertThat(logged(false, Source.ABANDONED_ACQUIRE).message()).contains("ended by itself");
  }

  @Test
  void nobodyIsPromisedThatABackendThatWasClosedIsAskedAgain() {
    RecordedLog.Entry warning = logged(false, Source.CLOSE, new BackendClosedException());
    assertThat(warning.message()).contains("close locks before").doesNotContain("again");
  }

  @Test
  void debuggingShowsTheWholeError() {
    assertThat(logged(true, Source.CLOSE).thrown()).isSameAs(error);
  }
}
