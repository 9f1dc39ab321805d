package dev.syncguard.lock.springboot;

import java.lang.reflect.Method;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.springframework.core.KotlinDetector;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/** How a method tells that it is done, which is how long it needs its lock. */
enum ReturnStyle {
  /** When it returns. */
  BLOCKING,
  /** When its future is complete. */
  FUTURE,
  /** When its {@code Mono} is, or its suspend function, which Spring shows us as one. */
  MONO,
  /** When its {@code Flux} is. */
  FLUX;

  /** Returns the style of a method, or throws {@link IllegalStateException} for one that we cannot hold a lock for. */
  static ReturnStyle of(Method method) {
    Class<?> returned = method.getReturnType();
    if (KotlinDetector.isSuspendingFunction(method)) {
      if (!isPresent("kotlinx.coroutines.reactor.MonoKt")) {
        throw new IllegalStateException("Spring calls suspend functions through Reactor; add"
            + " org.jetbrains.kotlinx:kotlinx-coroutines-reactor");
      }
      requireEnd(suspendedResult(method));
      return MONO;
    }
    if (returned == CompletableFuture.class || returned == CompletionStage.class) {
      return FUTURE;
    }
    return switch (returned.getName()) {
      case "reactor.core.publisher.Mono" -> MONO;
      case "reactor.core.publisher.Flux" -> FLUX;
      default -> {
        requireEnd(returned);
        yield BLOCKING;
      }
    };
  }

  /** Refuses what is not done when it is returned. */
  private static void requireEnd(Class<?> returned) {
    if (Future.class.isAssignableFrom(returned) || isPublisher(returned)) {
      throw new IllegalStateException("its lock would end before its work does; return a"
          + " CompletableFuture, a Mono or a Flux instead of " + returned.getSimpleName());
    }
  }

  /** Returns what a suspend function returns in Kotlin, which its last parameter, a continuation, takes. */
  private static Class<?> suspendedResult(Method method) {
    return ResolvableType.forMethodParameter(method, method.getParameterCount() - 1)
        .getGeneric(0)
        .resolve(Object.class);
  }

  /** Returns what a method of this return type gives when it is skipped. */
  static @Nullable Object nothing(Class<?> returned) {
    return returned == Optional.class ? Optional.empty() : null;
  }

  private static boolean isPublisher(Class<?> type) {
    return java.util.concurrent.Flow.Publisher.class.isAssignableFrom(type)
        || ClassUtils.getAllInterfacesForClassAsSet(type).stream()
            .anyMatch(implemented -> implemented.getName().equals("org.reactivestreams.Publisher"))
        || type.getName().equals("org.reactivestreams.Publisher")
        || type.getName().equals("kotlinx.coroutines.flow.Flow");
  }

  private static boolean isPresent(String type) {
    return ClassUtils.isPresent(type, ReturnStyle.class.getClassLoader());
  }
}
