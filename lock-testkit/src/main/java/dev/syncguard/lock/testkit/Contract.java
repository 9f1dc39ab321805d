package dev.syncguard.lock.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.Fence;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.LockNote;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.ExtendResult;
import dev.syncguard.lock.spi.Liveness;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.spi.LockQuery;
import dev.syncguard.lock.spi.ReleaseResult;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What all contracts have in common: a fresh store for each test, and the words that scenarios are written in.
 *
 * <p>Tests tagged {@code check-N} are the checks that the TypeScript library runs on its backends, by number. A ttl is
 * {@link #LONG} where a lease must stay and {@link #SHORT} where it must end, so that a store with a clock of its own
 * costs little waiting.
 */
@ExtendWith(FixtureSource.Resolver.class)
@Timeout(value = 3, unit = TimeUnit.MINUTES)
public abstract class Contract {

  /** Long enough for any test on any machine. */
  protected static final Ttl LONG = Ttl.ofMillis(600_000);

  /** Short enough to wait for its end. */
  protected static final Ttl SHORT = Ttl.ofMillis(100);

  /** A cancellation that never happens. */
  protected static final Cancellation NEVER = Cancellation.none();

  private static final SecureRandom RANDOM = new SecureRandom();
  private static final String CLOCK = "the lock that shows the time";

  private final List<LockBackend> opened = new CopyOnWriteArrayList<>();
  private LockFixture fixture;
  /** The backend under test, opened anew for each test. */
  protected LockBackend backend;

  @BeforeEach
  final void openFixture(FixtureSource source) throws Exception {
    fixture = source.newFixture();
    backend = open();
  }

  @AfterEach
  final void closeFixture() {
    opened.forEach(LockBackend::close);
    fixture.close();
  }

  /** Returns another backend over the same store. */
  protected final LockBackend open() {
    return remember(fixture.open());
  }

  /** Sees to it that a backend is closed after the test. */
  protected final LockBackend remember(LockBackend another) {
    opened.add(another);
    return another;
  }

  /** Returns the store that this contract runs on. */
  protected final LockFixture fixture() {
    return fixture;
  }

  /** Returns the fixture as the kind that this contract is about. */
  protected final <T extends LockFixture> T fixture(Class<T> kind) {
    assertThat(fixture).as("the fixture that this contract needs").isInstanceOf(kind);
    return kind.cast(fixture);
  }

  /** Lets this much time go by on the store's clock. */
  protected final void pass(Duration time) {
    fixture.pass(time);
  }

  /** Lets so much time go by that a lease of this ttl is surely over, tolerance included. */
  protected final void passBeyond(Ttl ttl) {
    pass(ttl.duration().plusMillis(Liveness.TIME_TOLERANCE_MS + 20));
  }

  /** Returns what the clock says that decides about leases. */
  protected final Instant storeTime() {
    if (!backend.isLocked(key(CLOCK), NEVER)) {
      take(CLOCK);
    }
    return backend.lookup(new LockQuery.ByKey(key(CLOCK)), NEVER).orElseThrow().observedAt();
  }

  /** Returns the key for a text. */
  protected static LockKey key(String text) {
    return LockKey.of(text);
  }

  /** Returns a lock id that nobody has used. */
  protected static LockId newId() {
    return LockId.random(RANDOM);
  }

  /** Takes a key that must be free, for longer than any test lasts. */
  protected final Grant take(String key) {
    return take(key, LONG);
  }

  /** Takes a key that must be free. */
  protected final Grant take(String key, Ttl ttl) {
    return take(backend, key, ttl);
  }

  /** Takes a key that must be free. */
  protected static Grant take(LockBackend from, String key, Ttl ttl) {
    LockId id = newId();
    AcquireResult.Acquired acquired = granted(from.acquire(key(key), id, ttl, NEVER));
    return new Grant(key(key), id, acquired.fence(), acquired.expiresAt());
  }

  /** Returns the grant, and fails if the answer is another one. */
  protected static AcquireResult.Acquired granted(AcquireResult result) {
    assertThat(result).isInstanceOf(AcquireResult.Acquired.class);
    return (AcquireResult.Acquired) result;
  }

  /** Fails unless an answer speaks of this very lease, of which less may be left by now. */
  protected static void assertSameLease(Fence fence, Instant expiresAt, AcquireResult again) {
    assertThat(granted(again).fence()).isEqualTo(fence);
    assertThat(granted(again).expiresAt()).isEqualTo(expiresAt);
  }

  /** Fails unless both answers speak of the same lease, of which less may be left by now. */
  protected static void assertSameLease(AcquireResult first, AcquireResult again) {
    assertSameLease(granted(first).fence(), granted(first).expiresAt(), again);
  }

  /** Takes a key that must be free, and says who did. */
  protected final Grant take(String key, Ttl ttl, LockNote note) {
    LockId id = newId();
    AcquireResult.Acquired acquired = granted(backend.acquire(key(key), id, ttl, note, NEVER));
    return new Grant(key(key), id, acquired.fence(), acquired.expiresAt());
  }

  /** Asserts that the holder of a key is described by this note, if the store keeps notes. */
  protected final void assertNote(String key, LockNote note) {
    assertThat(noteOf(key))
        .as("the note of the holder")
        .isEqualTo(fixture.keepsNotes() ? Optional.of(note) : Optional.empty());
  }

  /** Asserts that the holder of a key is described by no note. */
  protected final void assertNoNote(String key) {
    assertThat(noteOf(key)).as("the note of the holder").isEmpty();
  }

  private Optional<LockNote> noteOf(String key) {
    return backend.lookup(new LockQuery.ByKey(key(key)), NEVER).orElseThrow().note();
  }

  /** Tries to take a key, which may be held. */
  protected final AcquireResult attempt(String key) {
    return backend.acquire(key(key), newId(), LONG, NEVER);
  }

  /** Releases a lock and returns whether it was still there. */
  protected final boolean release(Grant grant) {
    return release(grant.id());
  }

  /** Releases the lock of this id and returns whether it was still there. */
  protected final boolean release(LockId id) {
    return backend.release(id, NEVER) instanceof ReleaseResult.Released;
  }

  /** Extends a lock and returns whether it was still there. */
  protected final boolean extend(Grant grant, Ttl ttl) {
    return backend.extend(grant.id(), ttl, NEVER) instanceof ExtendResult.Extended;
  }

  /** Returns whether anybody holds the key. */
  protected final boolean isLocked(String key) {
    return backend.isLocked(key(key), NEVER);
  }

  /** Asserts that the very lease is still there for everybody to see. */
  protected final void assertHeld(Grant grant) {
    assertThat(backend.isLocked(grant.key(), NEVER)).as("isLocked").isTrue();
    assertThat(backend.lookupRaw(new LockQuery.ByKey(grant.key()), NEVER))
        .as("the holder of the key")
        .hasValueSatisfying(found -> {
          assertThat(found.lockId()).isEqualTo(grant.id());
          assertThat(found.fence()).isEqualTo(grant.fence());
        });
    assertThat(backend.acquire(grant.key(), newId(), LONG, NEVER))
        .as("another attempt")
        .isInstanceOf(AcquireResult.Contended.class);
  }

  /** Asserts that a key can be taken, by taking it for a moment. */
  protected final void assertFree(String key) {
    assertThat(isLocked(key)).as("isLocked").isFalse();
    assertThat(release(take(key))).as("release").isTrue();
  }

  /** Asserts that a call is turned away with this code, and returns the exception. */
  protected static LockException assertRefused(LockException.Code code, Runnable call) {
    LockException refusal = catchThrowableOfType(LockException.class, call::run);
    assertThat(refusal).as("the refusal").isNotNull();
    assertThat(refusal.code()).isEqualTo(code);
    assertThat(refusal.getMessage()).isNotBlank();
    return refusal;
  }
}
