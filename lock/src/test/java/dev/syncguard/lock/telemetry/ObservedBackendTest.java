package dev.syncguard.lock.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.LockNote;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.memory.ManualTime;
import dev.syncguard.lock.memory.MemoryLockBackend;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.Capabilities;
import dev.syncguard.lock.spi.ExtendResult;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.spi.LockQuery;
import dev.syncguard.lock.spi.ReleaseResult;
import dev.syncguard.lock.spi.WaitingLine;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Whoever is observed gives the same answers to the same calls, all of them, also those that are added one day. */
class ObservedBackendTest {

  private record Call(Method method, List<Object> arguments) {}

  private static final Map<Class<?>, Object> SAMPLES = Map.ofEntries(
      Map.entry(LockKey.class, LockKey.of("report")),
      Map.entry(LockId.class, LockId.random(new Random(1))),
      Map.entry(Ttl.class, Ttl.ofMillis(10_000)),
      Map.entry(LockNote.class, LockNote.of("nightly")),
      Map.entry(Cancellation.class, Cancellation.create()),
      Map.entry(LockQuery.class, new LockQuery.ByKey(LockKey.of("report"))),
      Map.entry(Runnable.class, (Runnable) () -> {}),
      Map.entry(AcquireResult.class, new AcquireResult.Contended()),
      Map.entry(ReleaseResult.class, new ReleaseResult.Released()),
      Map.entry(ExtendResult.class, new ExtendResult.Extended(Instant.EPOCH)),
      Map.entry(Capabilities.class, new MemoryLockBackend().capabilities()),
      Map.entry(Duration.class, Duration.ofMillis(7)));

  private final List<Call> calls = new ArrayList<>();
  private boolean yes;

  @Test
  void aBackendIsAskedWhatWasAskedAndItsAnswerIsTheAnswer() throws Exception {
    assertPassesOn(LockBackend.class, Telemetry.to(event -> {}).over(recording(LockBackend.class)));
  }

  @Test
  void soAreItsLineAndThePlacesInIt() throws Exception {
    LockBackend backend = Telemetry.to(event -> {}).over(recording(LockBackend.class));
    WaitingLine line = backend.waitingLine().orElseThrow();
    assertPassesOn(WaitingLine.class, line);
    WaitingLine.Place place =
        line.join(sample(LockKey.class), sample(LockId.class), sample(LockNote.class), () -> {});
    assertPassesOn(WaitingLine.Place.class, place);
  }

  @Test
  void whatIsToldOfEndingByForceIsWhetherSomebodyWasEnded() {
    List<LockEvent> events = new ArrayList<>();
    ManualTime time = ManualTime.stopped();
    LockBackend backend = Telemetry.to(events::add)
        .deliverOn(Runnable::run)
        .time(time)
        .over(new MemoryLockBackend(time));
    LockKey key = sample(LockKey.class);
    backend.acquire(key, sample(LockId.class), sample(Ttl.class), Cancellation.none());
    assertThat(backend.forceRelease(key, Cancellation.none())).isPresent();
    assertThat(backend.forceRelease(key, Cancellation.none())).isEmpty();
    assertThat(events)
        .extracting(event -> event.type() + " " + event.outcome())
        .containsExactly("ACQUIRE OK", "FORCE_RELEASE OK", "FORCE_RELEASE FAIL");
  }

  private <T> void assertPassesOn(Class<T> type, T observed) throws Exception {
    for (Method method : type.getMethods()) {
      List<Object> arguments = Stream.of(method.getParameterTypes())
          .<Object>map(ObservedBackendTest::sample)
          .toList();
      for (boolean said : List.of(true, false)) {
        yes = said;
        calls.clear();
        Object answer = method.invoke(observed, arguments.toArray());
        assertThat(calls).as(method.toString()).containsExactly(new Call(method, arguments));
        if (method.getReturnType() != WaitingLine.Place.class
            && !method.getName().equals("waitingLine")) {
          assertThat(answer).as(method.toString()).isEqualTo(answerOf(method));
        }
      }
    }
  }

  private @Nullable Object answerOf(Method method) {
    Class<?> type = method.getReturnType();
    if (type == void.class) {
      return null;
    } else if (type == boolean.class) {
      return yes;
    } else if (type == Optional.class) {
      return Optional.of(
          method.getName().equals("waitingLine") ? recording(WaitingLine.class) : method);
    } else if (type == WaitingLine.Place.class) {
      return recording(WaitingLine.Place.class);
    }
    return sample(type);
  }

  private static <T> T sample(Class<T> type) {
    return type.cast(Objects.requireNonNull(SAMPLES.get(type), () -> "No sample of " + type));
  }

  /** Returns something that remembers every call. */
  private <T> T recording(Class<T> type) {
    return type.cast(Proxy.newProxyInstance(
        type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
          calls.add(new Call(method, arguments == null ? List.of() : Arrays.asList(arguments)));
          return answerOf(method);
        }));
  }
}
