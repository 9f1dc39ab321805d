package dev.syncguard.lock.firestore;

import com.google.api.core.ApiFuture;
import com.google.cloud.Timestamp;
import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.DocumentSnapshot;
import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.Query;
import com.google.cloud.firestore.QuerySnapshot;
import com.google.cloud.firestore.WriteBatch;
import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.Time;
import io.grpc.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Asks Firestore, one request per call, and waits for the answer: not for ever, and not for a caller who has given up.
 *
 * <p>Whether he has is looked at before each request, while we wait, and after each answer to a read; a write that was
 * answered has happened.
 *
 * <p>Every answer to a read tells what time it is there, which goes to the {@link ServerClock}, and is an
 * occasion to look for pauses. Threads may share it.
 */
final class Calls {

  private final Firestore firestore;
  private final ServerClock clock;
  private final PauseDetector pauses;
  private final Time time;
  private final Duration timeout;

  /** How a commit ended. */
  enum Outcome {
    DONE,
    /** A document is not as it was when we read it: nothing was written. */
    OVERTAKEN,
    /** Others hold on to our documents: nothing was written. */
    CROWDED
  }

  Calls(Firestore firestore, ServerClock clock, PauseDetector pauses, Time time, Duration timeout) {
    this.firestore = firestore;
    this.clock = clock;
    this.pauses = pauses;
    this.time = time;
    this.timeout = timeout;
  }

  /** Returns the documents in the order in which they were asked for. */
  List<DocumentSnapshot> read(Cancellation cancellation, DocumentReference... documents) {
    long sent = time.nanos();
    List<DocumentSnapshot> found = call(cancellation, () -> firestore.getAll(documents));
    observe(sent, found.get(0).getReadTime());
    cancellation.throwIfCancelled();
    return found;
  }

  QuerySnapshot find(Cancellation cancellation, Query query) {
    long sent = time.nanos();
    QuerySnapshot found = call(cancellation, query::get);
    observe(sent, found.getReadTime());
    cancellation.throwIfCancelled();
    return found;
  }

  private void observe(long sent, Timestamp theirs) {
    clock.observe(sent, time.now(), time.nanos(), instant(theirs));
    pauses.look();
  }

  /** Writes all or nothing. */
  Outcome commit(Cancellation cancellation, WriteBatch writes) {
    try {
      await(cancellation, writes::commit);
      return Outcome.DONE;
    } catch (ExecutionException e) {
      Status.Code status = FirestoreErrors.status(e);
      return switch (status) {
        case FAILED_PRECONDITION, ALREADY_EXISTS, NOT_FOUND -> Outcome.OVERTAKEN;
        case ABORTED -> Outcome.CROWDED;
        default -> throw FirestoreErrors.translate(e);
      };
    }
  }

  private <T> T call(Cancellation cancellation, Supplier<ApiFuture<T>> request) {
    try {
      return await(cancellation, request);
    } catch (ExecutionException e) {
      throw FirestoreErrors.translate(e);
    }
  }

  private <T> T await(Cancellation cancellation, Supplier<ApiFuture<T>> request)
      throws ExecutionException {
    cancellation.throwIfCancelled();
    if (Thread.currentThread().isInterrupted()) {
      // Google's client may clear the flag while it sends.
      throw interrupted();
    }
    ApiFuture<T> answer = send(request);
    try (Cancellation.Registration listening = cancellation.onCancel(() -> answer.cancel(true))) {
      return answer.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      answer.cancel(true);
      throw FirestoreErrors.tooSlow();
    } catch (InterruptedException e) {
      answer.cancel(true);
      Thread.currentThread().interrupt();
      throw interrupted();
    } catch (CancellationException e) {
      cancellation.throwIfCancelled();
      throw closed();
    }
  }

  private static <T> ApiFuture<T> send(Supplier<ApiFuture<T>> request) {
    try {
      return request.get();
    } catch (RuntimeException e) {
      // A client that was closed throws whatever the part throws that notices first.
      throw closed();
    }
  }

  private static LockException interrupted() {
    return new LockException(
        LockException.Code.ABORTED, "The thread was interrupted while it waited for Firestore");
  }

  private static LockException closed() {
    return FirestoreErrors.unavailable("The Firestore client is closed");
  }

  WriteBatch newBatch() {
    return firestore.batch();
  }

  static Instant instant(Timestamp timestamp) {
    return Instant.ofEpochSecond(timestamp.getSeconds(), timestamp.getNanos());
  }
}
