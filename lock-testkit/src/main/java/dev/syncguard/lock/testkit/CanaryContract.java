package dev.syncguard.lock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.Fence;
import dev.syncguard.lock.Lease;
import dev.syncguard.lock.LeaseGroup;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.LockRequest;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.spi.LockQuery;
import dev.syncguard.lock.spi.WaitingLine;
import dev.syncguard.lock.telemetry.Telemetry;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Keys, lock ids and secrets show up nowhere: not in logs, exceptions, events, thread names, on standard output and
 * error, nor in any {@code toString}.
 *
 * <p>Our own loggers run at their finest level, those of drivers as they are configured: some of them print every
 * parameter at their finest, and nothing that we do could hide a key from them.
 */
public abstract class CanaryContract extends Contract {

  private Canary canary;
  private LockBackend observed;

  @BeforeEach
  final void releaseTheCanary() {
    canary = new Canary(fixture().secrets());
    observed = sniffedEvents().over(backend);
  }

  @AfterEach
  final void catchTheCanary() {
    assertThat(canary.sightings())
        .as("where a key, a lock id or a secret was seen")
        .isEmpty();
  }

  private Telemetry sniffedEvents() {
    return Telemetry.to(event -> canary.sniff("event", event)).deliverOn(Runnable::run);
  }

  /** Makes a call and sniffs at whatever comes out of it. */
  private void sniff(String what, Supplier<?> call) {
    try (CapturedOutput output = new CapturedOutput();
        CapturedLog ours = CapturedLog.everythingOf("dev.syncguard");
        CapturedLog all = CapturedLog.asConfigured()) {
      try {
        canary.sniff("answer of " + what, call.get());
      } catch (RuntimeException e) {
        canary.sniffThrown("failure of " + what, e);
      }
      canary.sniffLog(ours.records());
      canary.sniffLog(all.records());
      canary.sniff("what was printed by " + what, output.text());
    }
    canary.sniffThreads();
  }

  @Test
  void theCanaryWouldBeNoticed() {
    Canary noisy = new Canary(fixture().secrets());
    noisy.sniff("key", noisy.key("report").value());
    noisy.sniff("id", noisy.id().value());
    noisy.sniffThrown(
        "cause", new IllegalStateException(new RuntimeException(noisy.id().value())));
    fixture().secrets().forEach(secret -> noisy.sniff("secret", secret));
    assertThat(noisy.sightings())
        .hasSizeGreaterThanOrEqualTo(4 + fixture().secrets().size());
  }

  @Test
  void nothingIsToldWhenAllGoesWell() {
    playAll("report", Cancellation.none());
  }

  @Test
  void nothingIsToldWhenCallsAreCancelled() {
    Cancellation cancelled = Cancellation.create();
    cancelled.cancel();
    playAll("report", cancelled);
  }

  @Test
  void nothingIsToldWhenFencesRunOut() {
    fixture().presetFence(canary.key("worn"), Fence.WARN);
    playAll("worn", Cancellation.none());
    fixture().presetFence(canary.key("used up"), Fence.MAX);
    playAll("used up", Cancellation.none());
  }

  @Test
  void nothingIsToldByABackendThatWasClosed() {
    LockBackend closed = open();
    closed.close();
    observed = sniffedEvents().over(closed);
    playAll("report", Cancellation.none());
  }

  private void playAll(String name, Cancellation cancellation) {
    LockKey key = canary.key(name);
    LockId id = canary.id();
    LockId other = canary.id();
    sniff("acquire", () -> observed.acquire(key, id, LONG, cancellation));
    sniff("contended acquire", () -> observed.acquire(key, other, LONG, cancellation));
    sniff("extend", () -> observed.extend(id, LONG, cancellation));
    sniff("absent extend", () -> observed.extend(other, LONG, cancellation));
    sniff("isLocked", () -> observed.isLocked(key, cancellation));
    for (LockQuery query : List.of(new LockQuery.ByKey(key), new LockQuery.ById(id))) {
      sniff("query", () -> query);
      sniff("lookup", () -> observed.lookup(query, cancellation));
      sniff("raw lookup", () -> observed.lookupRaw(query, cancellation));
    }
    observed.listing().ifPresent(listing -> sniff("listing", () -> listing.live(10, cancellation)));
    observed.storeCheck().ifPresent(check -> sniff("check", () -> check.examine(cancellation)));
    observed.waitingLine().ifPresent(line -> playInLine(line, key, id, cancellation));
    sniff("release", () -> observed.release(id, cancellation));
    sniff("absent release", () -> observed.release(other, cancellation));
    sniff("backend", () -> List.of(backend, observed, observed.capabilities()));
  }

  private void playInLine(WaitingLine line, LockKey key, LockId holder, Cancellation cancellation) {
    try (WaitingLine.Place place = line.join(key, canary.id(), () -> {})) {
      sniff("place", () -> List.of(line, place));
      sniff("attempt", () -> place.attempt(LONG, cancellation));
      sniff("takeOver", () -> place.takeOver(holder, LONG));
    }
  }

  @Test
  void nothingIsToldByLeases() {
    String key = canary.key("report").value();
    try (Locks locks = Locks.over(observed)) {
      LockRequest request = locks.lock(key).ttl(LONG.duration()).waitUpTo(Duration.ZERO);
      sniff("request", () -> List.of(locks, request, locks.lockAll(key)));
      try (Lease lease = request.acquire()) {
        sniff("lease", () -> List.of(lease, lease.key(), lease.id(), lease.fence()));
        sniff("second acquire", request::acquire);
        sniff("second tryAcquire", request::tryAcquire);
        sniff(
            "lookups",
            () -> List.of(
                locks.getByKey(key),
                locks.getByKeyRaw(key),
                locks.getById(lease.id().value()),
                locks.getByIdRaw(lease.id().value()),
                locks.owns(lease.id().value())));
        sniff("extend", () -> lease.extend(LONG.duration()));
        release(lease.id());
        sniff("lost extend", () -> lease.extend(LONG.duration()));
        sniff("ensureHeld", () -> {
          lease.ensureHeld(Duration.ofSeconds(1));
          return "";
        });
      }
      try (LeaseGroup group = locks.lockAll(key, key + " 2").acquire()) {
        sniff("group", () -> List.of(group, group.leases()));
        sniff("stranger in the group", () -> group.lease(key + " 3"));
      }
    }
  }

  @Test
  void nothingIsRepeatedOfBadInput() {
    String key = canary.key("x".repeat(600).substring(0, 400)).value() + "\0";
    sniff("bad key", () -> LockKey.of(key));
    sniff("long key", () -> LockKey.of(canary.key("k").value().repeat(100)));
    sniff("bad id", () -> LockId.parse(canary.id().value() + "\n"));
  }

  @Test
  void anExceptionHandsOutItsKeyOnlyToThoseWhoAsk() {
    LockException about = new LockException(LockException.Code.INTERNAL, "Something went wrong")
        .about(canary.key("report"))
        .about(canary.id());
    sniff("exception", () -> {
      throw about;
    });
    assertThat(about.key()).contains(canary.key("report"));
  }
}
