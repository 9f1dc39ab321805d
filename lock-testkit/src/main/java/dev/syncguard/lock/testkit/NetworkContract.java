package dev.syncguard.lock.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.Lease;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.spi.LockQuery;
import dev.syncguard.torture.proxy.Network;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whatever happens to connections, users of {@link Locks} get what was promised: what was released is free soon, nobody
 * leaves a lock behind, waits outlast outages, and errors are true.
 *
 * <p>Every lease here lasts for minutes, so a key that becomes free was given back, not waited for. Delays of five seconds
 * and outages of five and thirty take their time; set {@link #THOROUGH} to have them as well.
 */
public abstract class NetworkContract extends Contract {

  /** The system property that adds long delays and outages. */
  public static final String THOROUGH = "syncguard.network.thorough";

  private static final Set<LockException.Code> NO_ANSWER =
      Set.of(LockException.Code.SERVICE_UNAVAILABLE, LockException.Code.NETWORK_TIMEOUT);

  /** How long the driver behind {@link LockFixture.Networked#openThroughNetwork()} waits for an answer, at least. */
  public static final Duration DRIVER_PATIENCE = Duration.ofSeconds(60);

  /** The system property that says how many seconds to wait for what should come soon. */
  public static final String DEADLINE = "syncguard.network.deadline";

  private Network network;
  private RefusalWatch watched;
  private Locks locks;
  private final List<LockException> releaseErrors = new CopyOnWriteArrayList<>();

  @BeforeEach
  final void openThroughNetwork() {
    LockFixture.Networked fixture = fixture(LockFixture.Networked.class);
    network = fixture.network();
    watched = new RefusalWatch(remember(fixture.openThroughNetwork()));
    locks = Locks.builder(watched)
        .onReleaseError((error, failure) -> releaseErrors.add(error))
        .build();
    // The first request of a client does more than later ones: it connects, and may load scripts.
    locks.lock("warm-up").waitUpTo(Duration.ofMinutes(2)).run(lease -> {});
  }

  @AfterEach
  final void closeLocks() {
    network.heal();
    locks.close();
  }

  static Stream<Duration> delays() {
    Stream<Duration> some = Stream.of(Duration.ofMillis(100), Duration.ofSeconds(1));
    return Boolean.getBoolean(THOROUGH)
        ? Stream.concat(some, Stream.of(Duration.ofSeconds(5)))
        : some;
  }

  static Stream<Duration> outages() {
    return Boolean.getBoolean(THOROUGH)
        ? Stream.of(Duration.ofSeconds(1), Duration.ofSeconds(5), Duration.ofSeconds(30))
        : Stream.of(Duration.ofSeconds(1));
  }

  private Lease acquire(String key) {
    return locks.lock(key).ttl(LONG.duration()).waitUpTo(Duration.ofMinutes(2)).acquire();
  }

  /** Waits far less than a ttl for a key that somebody gave up. */
  private void assertFreeSoon(String key) throws InterruptedException {
    awaitSoon(() -> !isLocked(key));
    assertFree(key);
  }

  /** Returns the lease of somebody who was left waiting, once nothing stands in the way any more. */
  private static Lease grantedSoon(CompletableFuture<Lease> waiting) throws Exception {
    awaitSoon(waiting::isDone);
    return waiting.get(0, TimeUnit.SECONDS);
  }

  /** Gives what takes a second at most the time that a busy machine may need, and less than clients that back off would. */
  private static void awaitSoon(BooleanSupplier condition) throws InterruptedException {
    long rounds = Long.getLong(DEADLINE, 15) * 100;
    for (int round = 0; round < rounds && !condition.getAsBoolean(); round++) {
      TimeUnit.MILLISECONDS.sleep(10);
    }
  }

  @Test
  void aConnectionThatDiesDuringTheWorkDoesNotKeepTheKeyLocked() throws Exception {
    acquire("report").close();
    locks.lock("report").ttl(LONG.duration()).run(lease -> network.cutAll());
    assertFreeSoon("report");
  }

  @Test
  void aReleaseWhoseRequestOrReplyIsLostIsRepeated() throws Exception {
    for (Runnable fault : List.<Runnable>of(network::loseNextRequest, network::loseNextReply)) {
      Lease lease = acquire("report");
      fault.run();
      lease.close();
      assertThat(network.hasFailed()).isTrue();
      assertFreeSoon("report");
    }
  }

  @Test
  void anExtensionThatIsLostPromisesNothingAndCanBeRepeated() {
    for (Runnable fault : List.<Runnable>of(network::loseNextRequest, network::loseNextReply)) {
      try (Lease lease = acquire("report")) {
        fault.run();
        try {
          lease.extend(LONG.duration().multipliedBy(2));
        } catch (LockException e) {
          assertThat(e.code()).isIn(NO_ANSWER);
          assertThat(e.key()).contains(lease.key());
          assertThat(e.lockId()).contains(lease.id());
          assertThat(lease.remaining()).isLessThanOrEqualTo(LONG.duration());
        }
        assertThat(network.hasFailed()).isTrue();
        assertThat(extendAtLast(lease)).isTrue();
        assertThat(lease.isHeld()).isTrue();
        assertThat(backend.lookup(new LockQuery.ById(lease.id()), NEVER)).isPresent();
      }
    }
  }

  /** Some drivers notice that a connection is gone only by failing once more. */
  private static boolean extendAtLast(Lease lease) {
    for (int attempt = 0; attempt < 20; attempt++) {
      try {
        return lease.extend(LONG.duration());
      } catch (LockException e) {
        assertThat(e.code()).isIn(NO_ANSWER);
      }
    }
    return false;
  }

  @Test
  void aWaiterOutlastsTheLossOfItsConnection() throws Exception {
    Grant holder = take("report");
    CompletableFuture<Lease> waiting = startWaiting("report");
    watched.awaitRefusal();
    network.cutAll();
    TimeUnit.MILLISECONDS.sleep(100);
    network.cutAll();
    release(holder);
    try (Lease lease = grantedSoon(waiting)) {
      assertThat(lease.fence()).isGreaterThan(holder.fence());
      assertThat(lease.remaining()).isGreaterThan(LONG.duration().minusSeconds(30));
    }
    assertFreeSoon("report");
  }

  private CompletableFuture<Lease> startWaiting(String key) {
    return locks.lock(key).ttl(LONG.duration()).waitUpTo(Duration.ofMinutes(5)).acquireAsync();
  }

  @ParameterizedTest
  @MethodSource("delays")
  void aRequestThatArrivesLateLeavesNoGhost(Duration delay) throws Exception {
    network.delayNextRequest(delay);
    try {
      // A driver may repeat the request by itself, and then has an answer.
      locks.lock("report").ttl(LONG.duration()).tryAcquire().ifPresent(Lease::close);
    } catch (LockException e) {
      assertThat(e.code()).isIn(NO_ANSWER);
    }
    assertThat(network.hasFailed()).isTrue();
    TimeUnit.MILLISECONDS.sleep(delay.plusMillis(1_500).toMillis());
    assertThat(attempt("report"))
        .as("after the late request")
        .isInstanceOf(AcquireResult.Acquired.class);
  }

  @ParameterizedTest
  @MethodSource("outages")
  void aKeyThatWasReleasedDuringAnOutageIsFreeSoonAfterIt(Duration outage) throws Exception {
    Lease lease = acquire("report");
    network.breakDown();
    lease.close();
    assertThat(releaseErrors).as("what the handler was told").hasSize(1);
    TimeUnit.MILLISECONDS.sleep(outage.toMillis());
    assertThat(isLocked("report")).isTrue();
    network.heal();
    assertFreeSoon("report");
  }

  @ParameterizedTest
  @MethodSource("outages")
  void aWaitOutlastsAnOutageAndEndsSoonAfterIt(Duration outage) throws Exception {
    network.breakDown();
    CompletableFuture<Lease> waiting = startWaiting("report");
    TimeUnit.MILLISECONDS.sleep(outage.toMillis());
    assertThat(waiting).isNotDone();
    network.heal();
    try (Lease lease = grantedSoon(waiting)) {
      assertThat(lease.isHeld()).isTrue();
    }
    assertFreeSoon("report");
  }

  @Test
  void aWaitThatEndsDuringAnOutageSaysSo() throws Exception {
    network.breakDown();
    assertThatThrownBy(
            () -> locks.lock("report").waitUpTo(Duration.ofMillis(700)).acquire())
        .isInstanceOfSatisfying(LockException.class, e -> {
          assertThat(e.code()).isIn(NO_ANSWER);
          assertThat(e.lockId()).isPresent();
        });
    network.heal();
    assertFreeSoon("report");
  }

  @Test
  void aWaitEndsAtItsLimitAlthoughTheStoreFallsSilent() throws Exception {
    network.fallSilent();
    assertEndsWhileTheStoreIsSilent(locks);
    network.heal();
    assertFreeSoon("report");
  }

  @Test
  void aWaitEndsAtItsLimitAlthoughNobodyAnswersWhenItConnects() throws Exception {
    network.fallSilent();
    LockBackend unconnected = remember(fixture(LockFixture.Networked.class).openThroughNetwork());
    try (Locks unheard = Locks.over(unconnected)) {
      assertEndsWhileTheStoreIsSilent(unheard);
      network.heal();
      assertFreeSoon("report");
    }
  }

  /** Far more than a slow machine needs, and less than a driver waits. */
  private static long deadlineSeconds() {
    return Long.getLong(DEADLINE, DRIVER_PATIENCE.toSeconds() / 2);
  }

  /** The drivers here have more patience than this test, so that a wait which ends was ended by us. */
  private static void assertEndsWhileTheStoreIsSilent(Locks locks) {
    CompletableFuture<Lease> waiting = locks
        .lock("report")
        .ttl(LONG.duration())
        .waitUpTo(Duration.ofSeconds(1))
        .acquireAsync();
    assertThatThrownBy(() -> waiting.get(deadlineSeconds(), TimeUnit.SECONDS))
        .cause()
        .isInstanceOfSatisfying(LockException.class, e -> {
          assertThat(e.code()).isIn(NO_ANSWER);
          assertThat(e.lockId()).isPresent();
        });
  }

  private CompletableFuture<Lease> startWaiting(String key, Cancellation cancellation) {
    return locks
        .lock(key)
        .ttl(LONG.duration())
        .waitUpTo(Duration.ofMinutes(5))
        .cancelWith(cancellation)
        .acquireAsync();
  }

  private static void assertAborted(CompletableFuture<Lease> waiting) {
    assertThatThrownBy(() -> waiting.get(deadlineSeconds(), TimeUnit.SECONDS))
        .cause()
        .isInstanceOfSatisfying(
            LockException.class, e -> assertThat(e.code()).isEqualTo(LockException.Code.ABORTED));
  }

  @Test
  void aWaitThatIsCancelledEndsAlthoughTheStoreIsSilent() throws Exception {
    network.fallSilent();
    Cancellation cancellation = Cancellation.create();
    CompletableFuture<Lease> waiting = startWaiting("report", cancellation);
    TimeUnit.MILLISECONDS.sleep(200);
    cancellation.cancel();
    assertAborted(waiting);
    network.heal();
    assertFreeSoon("report");
  }

  @Test
  void whoeverStandsInLineAndIsCancelledLeavesAlthoughTheStoreIsSilent() throws Exception {
    Grant holder = take("report");
    Cancellation cancellation = Cancellation.create();
    CompletableFuture<Lease> waiting = startWaiting("report", cancellation);
    watched.awaitRefusal();
    network.fallSilent();
    cancellation.cancel();
    assertAborted(waiting);
    network.heal();
    release(holder);
    assertFreeSoon("report");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aReleaseThatIsCancelledEndsAlthoughTheStoreIsSilent(boolean somebodyWaits) throws Exception {
    Lease lease = acquire("report");
    CompletableFuture<Lease> waiting = somebodyWaits ? startWaiting("report") : null;
    if (somebodyWaits) {
      watched.awaitRefusal();
    }
    network.fallSilent();
    Cancellation cancellation = Cancellation.create();
    CompletableFuture<Boolean> releasing =
        CompletableFuture.supplyAsync(() -> lease.release(cancellation));
    TimeUnit.MILLISECONDS.sleep(200);
    cancellation.cancel();
    assertThatThrownBy(() -> releasing.get(deadlineSeconds(), TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class);
    network.heal();
    if (waiting != null) {
      grantedSoon(waiting).close();
    }
    assertFreeSoon("report");
  }
}
