package dev.syncguard.lock.firestore;

import com.google.api.core.ApiFuture;
import com.google.cloud.Timestamp;
import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.DocumentSnapshot;
import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.Query;
import com.google.cloud.firestore.QuerySnapshot;
import com.google.cloud.firestore.WriteBatch;
import dev.syncguard.lock.BackendClosedException;
import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.Time;
import io.grpc.Status;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Asks Firestore, one request per call, and waits for the answer: not for ever, and not for a caller who has given up.
 *
 * <p>Whether they have is looked at before each request, while we wait, and after each answer to a read; a write that was
 * answered has happened.
 *
 * <p>Every answer to a read tells what time it is there, which goes to the {@link ClockSkewMonitor}, and is an
 * occasion to look for pauses. Thread-safe.
 */
final class Calls {

  /** How often to look whether a connection that we wait for has been silent for too long. */
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(500);

  private final Firestore firestore;
  private final ClockSkewMonitor clock;
  private final PauseDetector pauses;
  private final Time time;
  private final Duration timeout;
  private final Connection connection;
  private volatile boolean closed;

  /** How a commit ended. */
  enum Outcome {
    DONE,
    /** A document is not as it was when we read it: nothing was written. */
    OVERTAKEN,
    /** Others hold on to our documents: nothing was written. */
    CROWDED
  }

  Calls(
      Firestore firestore,
      ClockSkewMonitor clock,
      PauseDetector pauses,
      Time time,
      Duration timeout,
      Connection connection) {
    this.firestore = firestore;
    this.clock = clock;
    this.pauses = pauses;
    this.time = time;
    this.timeout = timeout;
    this.connection = connection;
  }

  /** Returns the documents in the order in which they were asked for. */
  List<DocumentSnapshot> read(Operation operation, DocumentReference... documents) {
    long sent = time.nanos();
    List<DocumentSnapshot> found = call(operation, () -> firestore.getAll(documents));
    observe(sent, found.get(0).getReadTime());
    operation.cancellation().throwIfCancelled();
    return found;
  }

  /** Returns how a query fares, for somebody who wants to know nothing else. */
  Status.Code status(Operation operation, Query query) {
    try {
      await(operation, query::get, true);
      return Status.Code.OK;
    } catch (ExecutionException e) {
      Status.Code status = FirestoreErrors.status(e);
      if (status != Status.Code.FAILED_PRECONDITION) {
        throw FirestoreErrors.translate(e);
      }
      return status;
    }
  }

  QuerySnapshot find(Operation operation, Query query) {
    long sent = time.nanos();
    QuerySnapshot found = call(operation, query::get);
    observe(sent, found.getReadTime());
    operation.cancellation().throwIfCancelled();
    return found;
  }

  private void observe(long sent, Timestamp theirs) {
    clock.observe(sent, time.now(), time.nanos(), instant(theirs));
    pauses.look();
  }

  /** Writes all or nothing. */
  Outcome commit(Operation operation, WriteBatch writes) {
    try {
      await(operation, writes::commit, false);
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

  private <T> T call(Operation operation, Supplier<ApiFuture<T>> request) {
    try {
      return await(operation, request, true);
    } catch (ExecutionException e) {
      throw FirestoreErrors.translate(e);
    }
  }

  /** Waits for the answer. What only reads is sent again when the connection was replaced meanwhile. */
  private <T> T await(Operation operation, Supplier<ApiFuture<T>> request, boolean onlyReads)
      throws ExecutionException {
    Cancellation cancellation = operation.cancellation();
    cancellation.throwIfCancelled();
    if (closed) {
      throw new BackendClosedException();
    }
    if (Thread.currentThread().isInterrupted()) {
      // Google's client may clear the flag while it sends.
      throw interrupted();
    }
    int sentOn = connection.replaceIfSilent(time.nanos());
    FirstAnswer<T> answer = new FirstAnswer<>();
    answer.expect(send(request));
    try (Cancellation.Registration listening = cancellation.onCancel(answer::cancel)) {
      Duration left = Duration.ofNanos(operation.leftNanos(time));
      while (BETWEEN_LOOKS.compareTo(left) < 0 && !answer.comesWithin(BETWEEN_LOOKS)) {
        left = left.minus(BETWEEN_LOOKS);
        int current = connection.replaceIfSilent(time.nanos());
        if (onlyReads && current != sentOn) {
          sentOn = current;
          answer.expect(send(request));
        }
      }
      T result = answer.within(left);
      connection.answered();
      return result;
    } catch (TimeoutException e) {
      answer.cancel();
      throw FirestoreErrors.tooSlow();
    } catch (InterruptedException e) {
      answer.cancel();
      Thread.currentThread().interrupt();
      throw interrupted();
    } catch (CancellationException e) {
      cancellation.throwIfCancelled();
      throw new BackendClosedException();
    } catch (ExecutionException e) {
      connection.answered();
      if (closed) {
        throw new BackendClosedException();
      }
      if (FirestoreErrors.status(e) == Status.Code.UNAVAILABLE) {
        // Otherwise the connection waits longer and longer before it tries again, and so would we.
        connection.retryNow();
      }
      throw e;
    }
  }

  private <T> ApiFuture<T> send(Supplier<ApiFuture<T>> request) {
    connection.sending(time.nanos());
    try {
      return request.get();
    } catch (RuntimeException e) {
      throw closed ? new BackendClosedException() : FirestoreErrors.translate(e);
    }
  }

  private static LockException interrupted() {
    return new LockException(
        LockException.Code.ABORTED, "The thread was interrupted while it waited for Firestore");
  }

  /** Refuses everything from now on. */
  void close() {
    closed = true;
  }

  /** Begins an operation; all its requests together may take as long as the timeout says. */
  Operation begin(Cancellation cancellation) {
    return Operation.begin(cancellation, time, timeout);
  }

  WriteBatch newBatch() {
    return firestore.batch();
  }

  static Instant instant(Timestamp timestamp) {
    return Instant.ofEpochSecond(timestamp.getSeconds(), timestamp.getNanos());
  }
}
