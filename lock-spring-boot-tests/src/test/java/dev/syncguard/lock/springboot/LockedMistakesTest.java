package dev.syncguard.lock.springboot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** An annotation that could not work keeps the application from starting, instead of running without a lock. */
class LockedMistakesTest {

  record Mistake(Class<?> bean, String says) {}

  static Mistake[] mistakes() {
    return new Mistake[] {
      new Mistake(PrivateMethod.class, "private, static or final"),
      new Mistake(FinalMethod.class, "private, static or final"),
      new Mistake(NoKey.class, "either key"),
      new Mistake(TwoKeys.class, "either key"),
      new Mistake(OddDuration.class, "ttl must be a duration such as 30s"),
      new Mistake(SkippedNumber.class, "nothing to return when it is skipped"),
      new Mistake(PlainFuture.class, "return a CompletableFuture, a Mono or a Flux"),
      new Mistake(TooLong.class, "atLeast must not be longer than the ttl"),
      new Mistake(OddExpression.class, "cannot work"),
      new Mistake(UnknownParameter.class, "#ordr"),
      new Mistake(NoTtl.class, "A ttl must be 1 ms to"),
      new Mistake(LongTtl.class, "A ttl must be 1 ms to"),
      new Mistake(NegativeWait.class, "waitUpTo must not be negative"),
      new Mistake(NegativeLeast.class, "atLeast must not be negative"),
      new Mistake(LongWait.class, "waitUpTo must not be longer than 365 days"),
      new Mistake(LongHold.class, "autoExtend must not be longer than 365 days"),
      new Mistake(SuspendedFlow.class, "return a CompletableFuture, a Mono or a Flux"),
    };
  }

  @ParameterizedTest
  @MethodSource("mistakes")
  void aMistakeIsToldAtStart(Mistake mistake) {
    Applications.inMemory().withBean(mistake.bean()).run(application -> {
      assertThat(application).hasFailed();
      assertThat(application.getStartupFailure())
          .hasStackTraceContaining(mistake.says())
          .hasStackTraceContaining(mistake.bean().getSimpleName() + ".work");
    });
  }

  static class PrivateMethod {
    @Locked(name = "a")
    private void work() {}

    public Runnable runnable() {
      return this::work;
    }
  }

  static class FinalMethod {
    @Locked(name = "a")
    public final void work() {}
  }

  static class NoKey {
    @Locked
    public void work() {}
  }

  static class TwoKeys {
    @Locked(name = "a", key = "'a'")
    public void work() {}
  }

  static class OddDuration {
    @Locked(name = "a", ttl = "soon")
    public void work() {}
  }

  static class SkippedNumber {
    @Locked(name = "a", whenBusy = WhenBusy.SKIP)
    public int work() {
      return 1;
    }
  }

  static class PlainFuture {
    @Locked(name = "a")
    public Future<String> work() {
      return new FutureTask<>(() -> "done");
    }
  }

  static class TooLong {
    @Locked(name = "a", ttl = "1s", atLeast = "2s")
    public void work() {}
  }

  static class OddExpression {
    @Locked(key = "'a' +")
    public void work() {}
  }

  static class UnknownParameter {
    @Locked(key = "'order:' + (#order ?: {1,2}.?[#this > 1] + #ordr.id)")
    public void work(String order) {}
  }

  static class NoTtl {
    @Locked(name = "a", ttl = "0s")
    public void work() {}
  }

  static class LongTtl {
    @Locked(name = "a", ttl = "365d")
    public void work() {}
  }

  static class NegativeWait {
    @Locked(name = "a", waitUpTo = "-1s")
    public void work() {}
  }

  static class NegativeLeast {
    @Locked(name = "a", atLeast = "-1s")
    public void work() {}
  }

  static class LongWait {
    @Locked(name = "a", waitUpTo = "366d")
    public void work() {}
  }

  static class LongHold {
    @Locked(name = "a", autoExtend = "366d")
    public void work() {}
  }

  @Test
  void aWrongDefaultIsToldAtStartToo() {
    Applications.inMemory()
        .withBean(Plain.class)
        .withPropertyValues("syncguard.locked.wait-up-to=-1s")
        .run(application -> assertThat(application.getStartupFailure())
            .hasStackTraceContaining("waitUpTo must not be negative"));
  }

  static class Plain {
    @Locked(name = "a")
    public void work() {}
  }
}
