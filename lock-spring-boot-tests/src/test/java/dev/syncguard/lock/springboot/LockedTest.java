package dev.syncguard.lock.springboot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.syncguard.lock.Fence;
import dev.syncguard.lock.Lease;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.Locks;
import java.io.ByteArrayInputStream;
import java.io.ObjectInputStream;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.assertj.AssertableApplicationContext;
import org.springframework.util.SerializationUtils;

/** What {@code @Locked} does around methods that return when they are done. */
class LockedTest {

  record Order(String id) {}

  /** A bean with locked methods, which look at their own lock. */
  static class Orders {
    final Locks locks;
    final AtomicInteger runs = new AtomicInteger();

    Orders(Locks locks) {
      this.locks = locks;
    }

    @Locked(key = "'order:' + #order.id")
    public boolean ship(Order order) {
      runs.incrementAndGet();
      return locks.isLocked("order:" + order.id());
    }

    @Locked(key = "'order:' + #order.id", waitUpTo = "0s")
    public void cancel(Order order) {
      runs.incrementAndGet();
    }

    @Locked(key = "'order:' + #order.id", waitUpTo = "20ms", whenBusy = WhenBusy.SKIP)
    public @Nullable String archive(Order order) {
      return "archived";
    }

    @Locked(name = "cleanup", waitUpTo = "0s", whenBusy = WhenBusy.SKIP)
    public Optional<String> cleanUp() {
      return Optional.of("clean");
    }

    @Locked(name = "book", ttl = "${book.ttl:7s}")
    public long book(Lease lease, int amount, Fence fence) {
      assertThat(lease).isSameAs(CurrentLease.require());
      assertThat(fence).isEqualTo(CurrentLease.fence());
      assertThat(lease.remaining()).isLessThanOrEqualTo(java.time.Duration.ofSeconds(7));
      return fence.value() + amount;
    }

    @Locked(name = "failing")
    public void fail() throws java.io.IOException {
      throw new java.io.IOException("no paper");
    }

    @Locked(key = "@prefix + #p0", waitUpTo = "0s")
    public boolean withBean(String what) {
      return locks.isLocked("tenant-" + what);
    }

    @Locked(key = "#somebody")
    public void greet(@Nullable String somebody) {}

    @Locked(name = "outer")
    public void twice(Runnable again) {
      Lease outer = CurrentLease.require();
      again.run();
      assertThat(CurrentLease.require()).isSameAs(outer);
    }
  }

  private static void run(Consumer<Orders> test) {
    Applications.inMemory()
        .withBean(Orders.class)
        .withBean("prefix", String.class, () -> "tenant-")
        .run(application -> test.accept(orders(application)));
  }

  private static Orders orders(AssertableApplicationContext application) {
    assertThat(application).hasNotFailed();
    return application.getBean(Orders.class);
  }

  // The bean is a proxy, whose own fields are empty.
  private static Locks locks(AssertableApplicationContext application) {
    return application.getBean(Locks.class);
  }

  @Test
  void theLockIsHeldWhileTheMethodRunsAndNoLonger() {
    Applications.inMemory().withBean(Orders.class).run(application -> {
      assertThat(orders(application).ship(new Order("42"))).isTrue();
      assertThat(locks(application).isLocked("order:42")).isFalse();
    });
  }

  @Test
  void whoeverComesWhileItIsBusyGetsATypedExceptionWithoutTheKey() {
    Applications.inMemory().withBean(Orders.class).run(application -> {
      try (Lease other = locks(application).lock("order:secret").acquire()) {
        assertThatThrownBy(() -> orders(application).cancel(new Order("secret")))
            .isInstanceOfSatisfying(LockBusyException.class, busy -> {
              assertThat(busy)
                  .hasMessageContaining("Orders.cancel")
                  .hasMessageNotContaining("secret");
              assertThat(busy.keyHash()).isEqualTo(other.key().hash());
            });
        assertThat(other.isHeld()).isTrue();
      }
      orders(application).cancel(new Order("secret"));
    });
  }

  @Test
  void theExceptionOutlivesItsJourneyToAnotherJvm() throws Exception {
    Applications.inMemory().withBean(Orders.class).run(application -> {
      try (Lease other = locks(application).lock("order:1").acquire()) {
        LockBusyException busy = org.assertj.core.api.Assertions.catchThrowableOfType(
            LockBusyException.class, () -> orders(application).cancel(new Order("1")));
        byte[] sent = SerializationUtils.serialize(busy);
        LockBusyException arrived = (LockBusyException)
            new ObjectInputStream(new ByteArrayInputStream(Objects.requireNonNull(sent)))
                .readObject();
        assertThat(arrived.keyHash()).isEqualTo(other.key().hash());
        assertThat(arrived).hasMessage(busy.getMessage());
      }
    });
  }

  @Test
  void orIsSkippedIfItSaysSo() {
    Applications.inMemory().withBean(Orders.class).run(application -> {
      try (Lease one = locks(application).lock("order:1").acquire();
          Lease two = locks(application).lock("cleanup").acquire()) {
        assertThat(orders(application).archive(new Order("1"))).isNull();
        assertThat(orders(application).cleanUp()).isEmpty();
      }
      assertThat(orders(application).archive(new Order("1"))).isEqualTo("archived");
      assertThat(orders(application).cleanUp()).contains("clean");
    });
  }

  @Test
  @SuppressWarnings("NullAway") // What callers pass does not matter.
  void leaseAndFenceAreParametersIfTheMethodWantsThem() {
    run(orders -> {
      assertThat(orders.book(null, 10, null)).isEqualTo(11);
      assertThat(orders.book(null, 10, new Fence(99))).isEqualTo(12);
    });
  }

  @Test
  void outsideOfLockedMethodsThereIsNoCurrentLease() {
    run(orders -> {
      orders.ship(new Order("1"));
      assertThat(CurrentLease.get()).isEmpty();
      assertThatThrownBy(CurrentLease::fence)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("No @Locked method");
    });
  }

  @Test
  void whatTheMethodThrowsIsThrownAndTheLockReleased() {
    Applications.inMemory().withBean(Orders.class).run(application -> {
      assertThatThrownBy(() -> orders(application).fail())
          .isInstanceOf(java.io.IOException.class)
          .hasMessage("no paper");
      assertThat(locks(application).isLocked("failing")).isFalse();
    });
  }

  @Test
  void theKeyMayAskBeansAndParametersByNumber() {
    run(orders -> assertThat(orders.withBean("a")).isTrue());
  }

  @Test
  void aKeyThatIsNullIsExplained() {
    run(orders -> assertThatThrownBy(() -> orders.greet(null))
        .hasMessageContaining("greet")
        .hasMessageContaining("the key is null"));
  }

  @Test
  @SuppressWarnings("NullAway") // What callers pass does not matter.
  void aLockWithinALockIsTheCurrentOneUntilItEnds() {
    run(orders -> orders.twice(() -> orders.book(null, 1, null)));
  }

  @Test
  void aLockWithinItselfIsBusyAndSaysWhy() {
    Applications.inMemory()
        .withBean(Orders.class)
        .withPropertyValues("syncguard.locked.wait-up-to=10ms")
        .run(application -> {
          Orders orders = orders(application);
          assertThatThrownBy(() -> orders.twice(() -> orders.twice(() -> {})))
              .isInstanceOf(LockBusyException.class)
              .hasMessageContaining("not reentrant");
        });
  }

  @Test
  void afterTheApplicationHasEndedTheLocksAreClosed() {
    Orders[] late = new Orders[1];
    Applications.inMemory().withBean(Orders.class).run(application -> {
      late[0] = orders(application);
      late[0].greet("Ada");
    });
    assertThatThrownBy(() -> late[0].greet("Ada"))
        .isInstanceOf(LockException.class)
        .hasMessageContaining("closed");
  }
}
