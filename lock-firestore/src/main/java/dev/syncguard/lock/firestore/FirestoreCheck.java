package dev.syncguard.lock.firestore;

import com.google.cloud.firestore.QuerySnapshot;
import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.Fence;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.spi.StoreCheck;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Examines a Firestore: can it be reached, has it the index that we need, and does it agree with us on the time? */
final class FirestoreCheck implements StoreCheck {

  private static final int MOST_MEASUREMENTS = 10;
  private static final Duration GOOD_BOUND = Duration.ofMillis(25);
  private static final int MOST_COUNTERS = 100;
  private static final LockKey NOBODYS = LockKey.of("syncguard:doctor");

  private final Calls calls;
  private final LockDocuments documents;
  private final IndexCheck index;
  private final ClockSkewMonitor clock;

  FirestoreCheck(Calls calls, LockDocuments documents, IndexCheck index, ClockSkewMonitor clock) {
    this.calls = calls;
    this.documents = documents;
    this.index = index;
    this.clock = clock;
  }

  @Override
  public List<Finding> examine(Cancellation cancellation) {
    cancellation.throwIfCancelled();
    int measurements = 0;
    do {
      calls.read(calls.begin(cancellation), documents.lock(NOBODYS));
    } while (++measurements < MOST_MEASUREMENTS
        && clock.health().errorBound().compareTo(GOOD_BOUND) > 0);
    List<Finding> findings = new ArrayList<>();
    findings.add(good("reachable", "Firestore answers and lets us read"));
    findings.add(index(cancellation));
    findings.add(clock());
    findings.add(fences(cancellation));
    return findings;
  }

  private Finding index(Cancellation cancellation) {
    try {
      index.verify(cancellation);
      return good("index", "Locks can be found by their id");
    } catch (LockException e) {
      if (e.code() != LockException.Code.INVALID_ARGUMENT) {
        throw e;
      }
      return new Finding(Severity.FAILURE, "index", String.valueOf(e.getMessage()));
    }
  }

  private Finding clock() {
    ClockHealth health = clock.health();
    String measured = "This clock differs from Firestore's by " + health;
    return switch (health.level()) {
      case BLOCK ->
        new Finding(
            Severity.FAILURE,
            "clock",
            measured + ": locks are not safe here, and nothing that locks should be deployed to"
                + " this machine; check its time service");
      case WARN ->
        new Finding(
            Severity.WARNING, "clock", measured + "; check the time service of the machine");
      case UNKNOWN, ON_TARGET, TOLERABLE -> {
        if (health.atMost().compareTo(ClockHealth.BLOCK) >= 0) {
          yield new Finding(
              Severity.WARNING,
              "clock",
              measured + ", but Firestore answers too slowly to tell whether that is safe");
        }
        yield good("clock", measured + "; two clients may differ by 1000 ms at most");
      }
    };
  }

  private Finding fences(Cancellation cancellation) {
    QuerySnapshot worn = calls.find(
        calls.begin(cancellation),
        documents
            .fences()
            .whereGreaterThan(FenceCounter.FENCE, Fence.format(Fence.WARN))
            .limit(MOST_COUNTERS));
    return worn.isEmpty()
        ? good("fences", "No fence counter is near its end")
        : new Finding(
            Severity.WARNING,
            "fences",
            worn.size() + (worn.size() == MOST_COUNTERS ? " or more" : "")
                + " fence counter(s) near the limit of " + Fence.MAX
                + "; move these resources to new keys");
  }

  private static Finding good(String subject, String message) {
    return new Finding(Severity.GOOD, subject, message);
  }
}
