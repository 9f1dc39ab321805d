package dev.syncguard.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.syncguard.lock.memory.MemoryLockBackend;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every kind of request can do what the others can. */
@Timeout(60)
class RequestTest {

  private final Locks locks = Locks.over(new MemoryLockBackend());

  @AfterEach
  void close() {
    locks.close();
  }

  static Class<?>[] kinds() {
    return Request.class.getPermittedSubclasses();
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void noKindOfRequestCanDoWhatAnotherCannot(Class<?> kind) {
    assertThat(membersOf(kind)).isEqualTo(membersOf(LockRequest.class)).contains("call", "ttl");
  }

  private static Set<String> membersOf(Class<?> kind) {
    return Arrays.stream(kind.getMethods())
        .filter(method -> method.getDeclaringClass() != Object.class)
        .filter(method -> !Modifier.isStatic(method.getModifiers()))
        .map(Method::getName)
        .collect(Collectors.toSet());
  }

  @Test
  void whatIsComputedUnderSeveralLocksIsReturned() throws Exception {
    LockAllRequest request = locks.lockAll("a", "b");
    assertThat(request.<Integer, RuntimeException>call(group -> group.leases().size()))
        .isEqualTo(2);
    assertThat(request.callAsync(group -> group.leases().size()).get(1, TimeUnit.MINUTES))
        .isEqualTo(2);
    request.runAsync(group -> assertThat(locks.isLocked("b")).isTrue()).get(1, TimeUnit.MINUTES);
    try (LeaseGroup group = request.tryAcquireAsync().get(1, TimeUnit.MINUTES).orElseThrow()) {
      assertThat(request.tryAcquireAsync().get(1, TimeUnit.MINUTES)).isEmpty();
      assertThat(group.leases()).hasSize(2);
    }
    assertThat(locks.isLocked("a")).isFalse();
  }

  @Test
  void whatTheWorkUnderSeveralLocksThrowsComesThroughAndTheyAreReleased() {
    assertThatThrownBy(() -> locks.lockAll("a", "b").call(group -> {
          throw new IOException("no paper");
        }))
        .isInstanceOf(IOException.class);
    assertThat(locks.isLocked("a")).isFalse();
    assertThat(locks.isLocked("b")).isFalse();
  }
}
