package dev.syncguard.lock.springboot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.syncguard.lock.Fence;
import dev.syncguard.lock.Locks;
import java.lang.reflect.Proxy;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.cache.CacheManager;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.ResolvableType;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;

/** {@code @Locked} wherever a method can be declared, through every kind of proxy, and beside other annotations. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class LockedProxiesTest {

  record Order(String id) {}

  /** Says what its implementations lock. */
  interface Handler<T> {
    @Locked(key = "'order:' + #subject.id")
    boolean handle(T subject);

    @Locked(key = "'default:' + #what")
    default @Nullable String lockedByDefault(String what) {
      return CurrentLease.get().map(lease -> lease.key().value()).orElse(null);
    }
  }

  static class OrderHandler implements Handler<Order> {
    private final Locks locks;

    OrderHandler(Locks locks) {
      this.locks = locks;
    }

    @Override
    public boolean handle(Order subject) {
      return locks.isLocked("order:" + subject.id());
    }
  }

  static class Overloaded {
    @Locked(key = "'number:' + #which")
    public String work(int which) {
      return CurrentLease.require().key().value();
    }

    @Locked(key = "'text:' + #which")
    public String work(String which) {
      return CurrentLease.require().key().value();
    }

    public boolean work(Object which) {
      return CurrentLease.get().isPresent();
    }
  }

  @Test
  void anInterfaceMayLockForAllThatImplementIt() {
    for (String classes : new String[] {"true", "false"}) {
      Applications.inMemory()
          .withBean(OrderHandler.class)
          .withPropertyValues("spring.aop.proxy-target-class=" + classes)
          .run(application -> {
            Handler<Order> handler = application
                .<Handler<Order>>getBeanProvider(
                    ResolvableType.forClassWithGenerics(Handler.class, Order.class))
                .getObject();
            assertThat(Proxy.isProxyClass(handler.getClass())).isEqualTo(classes.equals("false"));
            assertThat(handler.handle(new Order("42"))).isTrue();
            assertThat(handler.lockedByDefault("a")).isEqualTo("default:a");
          });
    }
  }

  @Test
  void overloadsHaveLocksOfTheirOwn() {
    Applications.inMemory().withBean(Overloaded.class).run(application -> {
      Overloaded bean = application.getBean(Overloaded.class);
      assertThat(bean.work(1)).isEqualTo("number:1");
      assertThat(bean.work("1")).isEqualTo("text:1");
      assertThat(bean.work((Object) "1")).isFalse();
    });
  }

  /** As repositories, mappers and HTTP clients are declared, whose implementation somebody else makes. */
  interface Client {
    @Locked(key = "'client:' + #id")
    @Nullable
    Long send(String id, @Nullable Fence fence);
  }

  @Test
  void aBeanThatIsOnlyAnInterfaceIsLockedToo() {
    Client made = (Client) Proxy.newProxyInstance(
        Client.class.getClassLoader(),
        new Class<?>[] {Client.class},
        (proxy, method, arguments) -> method.getName().equals("send")
            ? (Object) ((Fence) arguments[1]).value()
            : method.getName());
    Applications.inMemory().withBean(Client.class, () -> made).run(application -> {
      assertThat(application).hasNotFailed();
      Client client = application.getBean(Client.class);
      assertThat(client.send("1", null)).isEqualTo(1);
      assertThat(client.send("1", null)).isEqualTo(2);
    });
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAsync
  @EnableCaching
  static class Around {
    @Bean
    CacheManager caches() {
      return new ConcurrentMapCacheManager();
    }
  }

  static class Combined {
    final AtomicInteger computed = new AtomicInteger();

    @Async
    @Locked(name = "async")
    public CompletableFuture<String> later(Thread caller) {
      assertThat(Thread.currentThread()).isNotSameAs(caller);
      return CompletableFuture.completedFuture(CurrentLease.require().key().value());
    }

    @Locked(name = "cached", waitUpTo = "0s")
    @Cacheable("prices")
    public int price(String item) {
      CurrentLease.require();
      return computed.incrementAndGet();
    }
  }

  @Test
  void anAsynchronousMethodTakesItsLockOnItsOwnThread() {
    Applications.inMemory()
        .withUserConfiguration(Around.class)
        .withBean(Combined.class)
        .run(application -> assertThat(
                application.getBean(Combined.class).later(Thread.currentThread()))
            .succeedsWithin(1, TimeUnit.MINUTES)
            .isEqualTo("async"));
  }

  @Test
  void theLockIsOutsideOfTheCacheSoAValueIsComputedOnce() {
    Applications.inMemory()
        .withUserConfiguration(Around.class)
        .withBean(Combined.class)
        .run(application -> {
          Combined bean = application.getBean(Combined.class);
          assertThat(bean.price("tea")).isEqualTo(1);
          assertThat(bean.price("tea")).isEqualTo(1);
          var held = application.getBean(Locks.class).lock("cached").acquire();
          assertThatThrownBy(() -> bean.price("tea")).isInstanceOf(LockBusyException.class);
          held.close();
        });
  }

  static class Identity {
    @Locked(key = "#order")
    public void work(Object order) {}

    @Locked(key = "{#shop, #order}")
    public void listed(String shop, Object order) {}

    @Locked(key = "'order:' + #order")
    public String keyOf(@Nullable Object order) {
      return CurrentLease.require().key().value();
    }
  }

  @Test
  void aKeyThatOnlySaysWhichObjectItIsIsRefused() {
    Applications.inMemory().withBean(Identity.class).run(application -> {
      Identity bean = application.getBean(Identity.class);
      for (Object odd : new Object[] {new Object(), new int[] {1}, new Thread[0]}) {
        for (ThrowingCallable call :
            List.<ThrowingCallable>of(() -> bean.work(odd), () -> bean.listed("north", odd))) {
          assertThatThrownBy(call)
              .isInstanceOf(IllegalStateException.class)
              .hasMessageContaining("toString")
              .hasMessageNotContaining(odd.toString());
        }
      }
      Object nobody = new Object();
      for (Object odd : new Object[] {nobody, new Object[] {nobody}, List.of(nobody)}) {
        assertThatThrownBy(() -> bean.keyOf(odd)).hasMessageContaining("toString");
      }
      for (Object good :
          new Object[] {1, "a", 'c', TimeUnit.DAYS, new Order("1"), Collection.class}) {
        bean.work(good);
        bean.listed("north", good);
        assertThat(bean.keyOf(good)).isEqualTo("order:" + good);
      }
      assertThat(bean.keyOf(null)).isEqualTo("order:null");
      for (Object ids : new Object[] {new int[] {1, 2}, new String[] {"1", "2"}, List.of(1, 2)}) {
        assertThat(bean.keyOf(ids)).as("Spring's text for several").isEqualTo("order:1,2");
      }
    });
  }
}
