package dev.syncguard.lock.firestore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.syncguard.lock.LockException;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Settings that make no sense are turned away before anything is opened. */
class FirestoreSettingsTest {

  private static FirestoreLockBackendBuilder builder() {
    return new FirestoreLockBackendBuilder(
        () -> {
          throw new IllegalStateException("nothing may be opened");
        },
        true);
  }

  private static void assertRefused(Callable<?> call) {
    LockException refusal = catchThrowableOfType(LockException.class, call::call);
    assertThat(refusal).isNotNull();
    assertThat(refusal.code()).isEqualTo(LockException.Code.INVALID_ARGUMENT);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a/b", "/", ".", "..", "__x__", "____", "a\0b"})
  void aNameThatFirestoreDoesNotTakeIsRefused(String name) {
    assertRefused(() -> builder().collection(name));
    assertRefused(() -> builder().fenceCollection(name));
  }

  @Test
  void aNameThatIsTooLongIsRefused() {
    builder().collection("k".repeat(1500));
    assertRefused(() -> builder().collection("k".repeat(1501)));
    assertRefused(() -> builder().collection("é".repeat(751)));
  }

  @Test
  void locksAndFencesNeedTwoCollections() {
    assertRefused(() -> builder().collection("fence_counters").build());
    assertRefused(() -> builder().fenceCollection("locks").build());
    assertRefused(() -> builder().collection("same").fenceCollection("same").build());
    assertRefused(() -> builder().collection("Same").fenceCollection("sAME").build());
    assertThatThrownBy(() -> builder().collection("a").fenceCollection("b").build())
        .hasMessage("nothing may be opened");
  }

  @Test
  void timesMustBeAboveZero() {
    assertRefused(() -> builder().timeout(Duration.ZERO));
    assertRefused(() -> builder().timeout(Duration.ofSeconds(Long.MAX_VALUE)));
    assertRefused(() -> builder().cleanupInIsLocked(Duration.ofMillis(-1)));
  }

  @ParameterizedTest
  @CsvSource({
    "firestore://demo, demo, , ,",
    "firestore://demo/, demo, , ,",
    "firestore://my-project-1/eu-locks, my-project-1, eu-locks, ,",
    "firestore://demo/(default), demo, (default), ,",
    "firestore://demo?collection=a, demo, , a,",
    "firestore://demo/db?collection=a&fences=b, demo, db, a, b",
    "firestore://example.com:project, example.com:project, , ,"
  })
  void anAddressNamesProjectDatabaseAndCollections(
      String url, String project, String database, String collection, String fences) {
    assertThat(FirestoreAddress.parse(url))
        .isEqualTo(new FirestoreAddress(project, database, collection, fences, false));
  }

  @Test
  void anAddressMayAllowAnUnsafeClock() {
    assertThat(FirestoreAddress.parse("firestore://demo?unsafeClock=allow").allowsUnsafeClock())
        .isTrue();
    assertThat(builder().refusesUnsafeClock).as("by default").isTrue();
    assertThat(
            FirestoreLockBackend.builder("firestore://demo?unsafeClock=allow").refusesUnsafeClock)
        .isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "firestore://demo?unsafeClock=yes",
        "firestore://",
        "firestore:demo",
        "firestore://demo/a/b",
        "firestore://demo?colection=a",
        "firestore://demo?collection=a&collection=b",
        "firestore://demo?collection",
        "firestore://Demo project"
      })
  void anAddressWithAMistakeIsRefused(String url) {
    assertRefused(() -> FirestoreAddress.parse(url));
  }

  @Test
  void anAddressIsCheckedLikeSettings() {
    assertRefused(() -> FirestoreLockBackend.builder("firestore://demo?collection="));
    assertRefused(() -> FirestoreLockBackend.builder("firestore://demo?collection=fence_counters")
        .build());
  }
}
