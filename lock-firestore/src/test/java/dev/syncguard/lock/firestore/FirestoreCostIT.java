package dev.syncguard.lock.firestore;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.firestore.Firestore;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.LockQuery;
import dev.syncguard.lock.spi.WaitingLine;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What an operation costs, in calls to Firestore. */
class FirestoreCostIT extends OneFirestore {

  private final WatchedCalls counter = new WatchedCalls();
  private Firestore counted;

  @BeforeAll
  void connectCounted() {
    counted = counter.connect(server.emulatorHost(), 0);
  }

  @AfterAll
  void closeCounted() {
    // Closing it gently would wait for a listener too many for ever, instead of telling about it.
    counted.shutdownNow();
  }

  @BeforeEach
  void openCounted() {
    backend = open(FirestoreLockBackend.builder(counted));
    counter.calls();
  }

  @Test
  void aLockIsTakenInTwoCalls() {
    take("payment:42");
    assertThat(counter.calls()).containsExactly("BatchGetDocuments", "Commit");
    take("another");
    assertThat(counter.calls()).containsExactly("BatchGetDocuments", "Commit");
  }

  @Test
  void aRefusalIsOneCall() {
    take("payment:42");
    counter.calls();
    assertThat(backend.acquire(key("payment:42"), newId(), LONG, NEVER))
        .isInstanceOf(AcquireResult.Contended.class);
    assertThat(counter.calls()).containsExactly("BatchGetDocuments");
  }

  @Test
  void aLockIsExtendedAndReleasedInTwoCallsEach() {
    LockId id = take("payment:42");
    counter.calls();
    backend.extend(id, LONG, NEVER);
    assertThat(counter.calls()).containsExactly("RunQuery", "Commit");
    assertThat(release(id)).isTrue();
    assertThat(counter.calls()).containsExactly("RunQuery", "Commit");
    assertThat(release(id)).isFalse();
    assertThat(counter.calls()).containsExactly("RunQuery");
  }

  @Test
  void lookingIsOneCall() {
    LockId id = take("payment:42");
    counter.calls();
    assertThat(backend.isLocked(key("payment:42"), NEVER)).isTrue();
    assertThat(counter.calls()).containsExactly("BatchGetDocuments");
    assertThat(backend.lookup(new LockQuery.ByKey(key("payment:42")), NEVER)).isPresent();
    assertThat(counter.calls()).containsExactly("BatchGetDocuments");
    assertThat(backend.lookup(new LockQuery.ById(id), NEVER)).isPresent();
    assertThat(counter.calls()).containsExactly("RunQuery");
  }

  @Test
  void aLockIsHandedOverInTwoCalls() {
    LockId first = take("payment:42");
    LockId second = newId();
    try (WaitingLine.Place place =
        backend.waitingLine().orElseThrow().join(key("payment:42"), second, () -> {})) {
      counter.calls();
      assertThat(place.takeOver(first, LONG)).isInstanceOf(AcquireResult.Acquired.class);
      assertThat(counter.calls()).containsExactly("BatchGetDocuments", "Commit");
    }
  }

  @Test
  void nobodyListensAsLongAsNobodyWaits() {
    try (Locks locks = Locks.over(backend)) {
      locks.lock("payment:42").run(lease -> {});
    }
    assertThat(counter.calls())
        .containsExactly("BatchGetDocuments", "Commit", "RunQuery", "Commit");
  }

  @Test
  void howeverManyWaitForOneKeyThereIsOneListener() {
    take("payment:42");
    WaitingLine line = backend.waitingLine().orElseThrow();
    List<WaitingLine.Place> places = List.of(
        line.join(key("payment:42"), newId(), () -> {}),
        line.join(key("payment:42"), newId(), () -> {}),
        line.join(key("payment:42"), newId(), () -> {}));
    counter.calls();
    for (int round = 0; round < 3; round++) {
      for (WaitingLine.Place place : places) {
        assertThat(place.attempt(LONG, NEVER)).isInstanceOf(AcquireResult.Contended.class);
      }
    }
    assertThat(await(() -> counter.has("Listen"))).isTrue();
    places.forEach(WaitingLine.Place::close);
    assertThat(counter.calls()).filteredOn("Listen"::equals).hasSize(1);
  }
}
