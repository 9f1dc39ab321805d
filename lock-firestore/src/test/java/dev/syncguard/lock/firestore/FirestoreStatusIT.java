package dev.syncguard.lock.firestore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.cloud.firestore.Firestore;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockException.Code;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.memory.ManualTime;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.ExtendResult;
import dev.syncguard.lock.spi.ReleaseResult;
import io.grpc.Status;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a caller hears when Firestore answers with an error, and storms of conflicts. */
class FirestoreStatusIT extends OneFirestore {

  private static final String CANARY = "projects/p/databases/d/documents/locks/canary";

  private final WatchedCalls calls = new WatchedCalls();
  private Firestore watched;

  @BeforeAll
  void connectWatched() {
    watched = calls.connect(server.emulatorHost(), 1);
  }

  @AfterAll
  void closeWatched() throws Exception {
    watched.close();
  }

  @BeforeEach
  void openWatched() {
    backend = open(FirestoreLockBackend.builder(watched));
  }

  @AfterEach
  void letAllThrough() {
    calls.fail("", Status.OK, 0);
    calls.whenFailing(() -> {});
    calls.beforeCommit(() -> {});
  }

  @ParameterizedTest
  @CsvSource({
    "PERMISSION_DENIED, AUTH_FAILED",
    "UNAUTHENTICATED, AUTH_FAILED",
    "DEADLINE_EXCEEDED, NETWORK_TIMEOUT",
    "UNAVAILABLE, SERVICE_UNAVAILABLE",
    "INTERNAL, SERVICE_UNAVAILABLE",
    "ABORTED, SERVICE_UNAVAILABLE",
    "CANCELLED, SERVICE_UNAVAILABLE",
    "UNKNOWN, INTERNAL",
    "INVALID_ARGUMENT, INVALID_ARGUMENT",
    "FAILED_PRECONDITION, INVALID_ARGUMENT",
    "NOT_FOUND, INVALID_ARGUMENT",
    "RESOURCE_EXHAUSTED, RATE_LIMITED",
    "DATA_LOSS, INTERNAL"
  })
  void aFailedReadIsToldByItsStatus(Status.Code status, Code code) {
    calls.fail("BatchGetDocuments", status.toStatus().withDescription(CANARY), 1000);
    assertFails(code, () -> backend.acquire(key("report"), newId(), LONG, NEVER));
    assertFails(code, () -> backend.isLocked(key("report"), NEVER));
    calls.fail("RunQuery", status.toStatus().withDescription(CANARY), 1000);
    assertFails(code, () -> backend.release(newId(), NEVER));
    assertFails(code, () -> backend.extend(newId(), LONG, NEVER));
  }

  @ParameterizedTest
  @CsvSource({
    "PERMISSION_DENIED, AUTH_FAILED",
    "UNAUTHENTICATED, AUTH_FAILED",
    "DEADLINE_EXCEEDED, NETWORK_TIMEOUT",
    "UNAVAILABLE, SERVICE_UNAVAILABLE",
    "INTERNAL, SERVICE_UNAVAILABLE",
    "UNKNOWN, INTERNAL",
    "INVALID_ARGUMENT, INVALID_ARGUMENT",
    "RESOURCE_EXHAUSTED, RATE_LIMITED"
  })
  void aFailedWriteIsToldByItsStatus(Status.Code status, Code code) {
    LockId held = take("held");
    calls.fail("Commit", status.toStatus().withDescription(CANARY), 1000);
    assertFails(code, () -> backend.acquire(key("report"), newId(), LONG, NEVER));
    assertFails(code, () -> backend.release(held, NEVER));
    assertFails(code, () -> backend.extend(held, LONG, NEVER));
    letAllThrough();
    assertThat(backend.isLocked(key("report"), NEVER)).isFalse();
    assertThat(release(held)).isTrue();
  }

  private static void assertFails(Code code, Runnable call) {
    LockException failure = catchThrowableOfType(LockException.class, call::run);
    assertThat(failure).isNotNull();
    assertThat(failure.code()).isEqualTo(code);
    assertThat(failure.getMessage()).isNotBlank().doesNotContain("canary");
    // What nobody foresaw comes with its cause, which does not name documents either.
    assertThat(failure.getCause() != null).isEqualTo(code == Code.INTERNAL);
    StringWriter trace = new StringWriter();
    failure.printStackTrace(new PrintWriter(trace));
    assertThat(trace.toString()).doesNotContain("canary");
  }

  @Test
  void aMissingDatabaseIsNotMistakenForAMissingIndex() {
    calls.fail("RunQuery", Status.NOT_FOUND.withDescription(CANARY), 1000);
    LockException failure = catchThrowableOfType(LockException.class, backend::verifyIndex);
    assertThat(failure.code()).isEqualTo(Code.INVALID_ARGUMENT);
    assertThat(failure)
        .hasMessageContaining("no such project or database")
        .hasMessageNotContaining("index");
  }

  @Test
  void theTimeoutIsForAllRequestsOfAnOperationTogether() {
    FirestoreLockBackend hasty =
        open(FirestoreLockBackend.builder(watched).timeout(Duration.ofMillis(600)));
    hasty.isLocked(key("report"), NEVER);
    // The read has its answer in time, and the commit would, if it had as much time again.
    calls.beforeCommit(() -> LockSupport.parkNanos(Duration.ofMillis(700).toNanos()));
    assertFails(Code.NETWORK_TIMEOUT, () -> hasty.acquire(key("report"), newId(), LONG, NEVER));
  }

  @ParameterizedTest
  @ValueSource(strings = {"ABORTED", "FAILED_PRECONDITION", "ALREADY_EXISTS", "NOT_FOUND"})
  void aStormOfConflictsIsSatOut(String status) {
    for (int conflicts = 1; conflicts < 10; conflicts += 4) {
      calls.fail("Commit", Status.Code.valueOf(status).toStatus(), conflicts);
      LockId id = take("report");
      calls.fail("Commit", Status.Code.valueOf(status).toStatus(), conflicts);
      assertThat(backend.release(id, NEVER)).isInstanceOf(ReleaseResult.Released.class);
    }
    assertThat(granted(backend.acquire(key("report"), newId(), LONG, NEVER))
            .fence()
            .value())
        .isEqualTo(4);
  }

  @Test
  void aCleanupThatComesLateDoesNotReachTheNextHolder() {
    ManualTime time = ManualTime.stopped();
    FirestoreLockBackend other =
        open(FirestoreLockBackend.builder(firestore).time(time).allowUnsafeClock());
    FirestoreLockBackend cleaning = open(FirestoreLockBackend.builder(watched)
        .time(time)
        .allowUnsafeClock()
        .cleanupInIsLocked(Duration.ofSeconds(1)));
    take(other, "report", Ttl.ofMillis(100));
    time.advance(Duration.ofSeconds(10));
    calls.beforeCommit(() -> take(other, "report", LONG));
    int commits = calls.ended("Commit");
    assertThat(cleaning.isLocked(key("report"), NEVER)).isFalse();
    assertThat(await(() -> calls.ended("Commit") > commits)).isTrue();
    assertThat(other.isLocked(key("report"), NEVER)).isTrue();
  }

  @Test
  void aLeaseIsCountedFromTheRoundThatSucceeds() {
    ManualTime time = ManualTime.stopped();
    FirestoreLockBackend slow =
        open(FirestoreLockBackend.builder(watched).time(time).allowUnsafeClock());
    calls.whenFailing(() -> time.advance(Duration.ofSeconds(1)));
    calls.fail("Commit", Status.ABORTED, 3);
    LockId id = newId();
    assertThat(granted(slow.acquire(key("report"), id, LONG, NEVER)).expiresAt())
        .isEqualTo(time.now().plus(LONG.duration()));
    calls.fail("Commit", Status.ABORTED, 3);
    assertThat(slow.extend(id, LONG, NEVER))
        .isEqualTo(new ExtendResult.Extended(time.now().plus(LONG.duration())));
  }

  @ParameterizedTest
  @ValueSource(strings = {"ABORTED", "FAILED_PRECONDITION"})
  void aStormThatDoesNotEndIsGivenUpAndNothingIsTaken(String status) {
    calls.fail("Commit", Status.Code.valueOf(status).toStatus(), 1000);
    assertFails(
        Code.SERVICE_UNAVAILABLE, () -> backend.acquire(key("report"), newId(), LONG, NEVER));
    letAllThrough();
    assertThat(backend.isLocked(key("report"), NEVER)).isFalse();
    assertThat(backend.acquire(key("report"), newId(), LONG, NEVER))
        .isInstanceOf(AcquireResult.Acquired.class);
  }
}
