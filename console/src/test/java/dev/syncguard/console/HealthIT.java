package dev.syncguard.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Time;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.memory.MemoryLockBackend;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.spi.StoreCheck;
import dev.syncguard.lock.spi.StoreCheck.Finding;
import dev.syncguard.lock.spi.StoreCheck.Severity;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What is wrong stands on top, in every view, and nothing does while all is well. */
class HealthIT {

  @RegisterExtension
  final Desk desk = new Desk();

  @BeforeEach
  void bePatient() {
    PlaywrightAssertions.setDefaultAssertionTimeout(60_000);
  }

  @Test
  void whatTheDoctorFindsStandsOnTopInEveryView() {
    LockBackend store = examined(List.of(
        new Finding(Severity.GOOD, "reachable", "It answers"),
        new Finding(Severity.WARNING, "durability", "<b>Acknowledged</b> writes may be lost"),
        new Finding(Severity.FAILURE, "schema", "A table is missing; run doctor --fix")));
    Page page = desk.open(desk.serve(Console.builder().locks(store, "memory")).address());
    assertThat(page.locator("#banner .finding")).hasCount(2);
    assertThat(page.locator("#banner .finding.warning"))
        .hasText("durability <b>Acknowledged</b> writes may be lost");
    assertThat(page.locator("#banner .finding.failure"))
        .hasText("schema A table is missing; run doctor --fix");
    page.keyboard().press("2");
    assertThat(page.locator("main h2")).hasText("Timeline");
    assertThat(page.locator("#banner .finding")).hasCount(2);
    AccessibilityIT.check(page, "findings");
  }

  @Test
  void aStoreInGoodHealthIsNotSpokenOf() {
    LockBackend store = examined(List.of(new Finding(Severity.GOOD, "reachable", "It answers")));
    Page page = desk.open(desk.serve(Console.builder().locks(store, "memory")).address());
    assertThat(page.locator(".empty h3")).hasText("Nobody holds a lock");
    assertThat(page.locator("#banner .finding")).hasCount(0);
  }

  @Test
  void aStoreWhoseClockDiffersIsSaidToAndItsBarsAreStillRight() {
    MemoryLockBackend early = new MemoryLockBackend(ahead(Duration.ofMinutes(5)));
    early.acquire(
        LockKey.of("report"),
        LockId.random(new java.security.SecureRandom()),
        Ttl.of(Duration.ofHours(2)),
        Cancellation.none());
    Page page = desk.open(desk.serve(Console.builder().locks(early, "memory")).address());
    assertThat(page.locator("#banner .finding.warning"))
        .containsText("The store's clock is 5 min ahead of this machine's");
    // Two hours are left, not two hours and five minutes.
    assertThat(page.locator(".body .row .left .text")).containsText("1:59:");
  }

  private LockBackend examined(List<Finding> findings) {
    StoreCheck check = cancellation -> findings;
    return (LockBackend) Proxy.newProxyInstance(
        getClass().getClassLoader(), new Class<?>[] {LockBackend.class}, (proxy, method, args) -> {
          if (method.getName().equals("storeCheck")) {
            return Optional.of(check);
          }
          try {
            return method.invoke(desk.store, args);
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
        });
  }

  private static Time ahead(Duration offset) {
    Time here = Time.system();
    return new Time() {
      @Override
      public Instant now() {
        return here.now().plus(offset);
      }

      @Override
      public long nanos() {
        return here.nanos();
      }

      @Override
      public Signal newSignal() {
        return here.newSignal();
      }
    };
  }
}
