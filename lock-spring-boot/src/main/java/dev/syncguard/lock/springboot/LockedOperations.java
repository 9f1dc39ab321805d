package dev.syncguard.lock.springboot;

import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Ttl;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;

/** Reads {@link Locked} annotations, each once, and refuses those that could not work. Thread-safe. */
final class LockedOperations {

  private static final Duration LONGEST = Duration.ofDays(365);

  private final ConfigurableBeanFactory beans;
  private final Supplier<LockedDefaults> defaults;
  private final Map<Method, LockedOperation> known = new ConcurrentHashMap<>();

  LockedOperations(ConfigurableBeanFactory beans, Supplier<LockedDefaults> defaults) {
    this.beans = beans;
    this.defaults = defaults;
  }

  /** Returns whether the method is annotated, and throws if it is in a way that cannot work. */
  boolean isLocked(Method method) {
    Method declared = declared(method);
    Locked locked = annotation(declared);
    if (locked == null) {
      return false;
    }
    if (!known.containsKey(method)) {
      known.put(method, read(declared, locked));
    }
    return true;
  }

  LockedOperation of(Method method) {
    LockedOperation found = known.get(method);
    if (found == null) {
      if (!isLocked(method)) {
        throw new IllegalStateException(method + " is not @Locked");
      }
      found = of(method);
    }
    return found;
  }

  /** The methods of somebody else's proxy have neither annotations nor names of parameters: its interfaces do. */
  private static Method declared(Method method) {
    if (Proxy.isProxyClass(method.getDeclaringClass())) {
      for (Class<?> type : ClassUtils.getAllInterfacesForClass(method.getDeclaringClass())) {
        Method found =
            ClassUtils.getMethodIfAvailable(type, method.getName(), method.getParameterTypes());
        if (found != null && annotation(found) != null) {
          return found;
        }
      }
    }
    return method;
  }

  private static @Nullable Locked annotation(Method method) {
    // Kotlin copies the annotations of a suspend function to a method that only it calls.
    return method.isSynthetic()
        ? null
        : AnnotatedElementUtils.findMergedAnnotation(method, Locked.class);
  }

  private LockedOperation read(Method method, Locked locked) {
    try {
      requireProxyable(method);
      ReturnStyle style = ReturnStyle.of(method);
      Class<?> returned = method.getReturnType();
      if (locked.whenBusy() == WhenBusy.SKIP && returned.isPrimitive() && returned != void.class) {
        throw new IllegalStateException("a method that returns " + returned
            + " has nothing to return when it is skipped; return an object, or choose FAIL");
      }
      LockedDefaults usual = defaults.get();
      Duration ttl = Ttl.of(duration("ttl", locked.ttl()).orElse(usual.ttl())).duration();
      Duration atLeast =
          valid("atLeast", duration("atLeast", locked.atLeast()).orElse(Duration.ZERO));
      if (atLeast.compareTo(ttl) > 0) {
        throw new IllegalStateException("atLeast must not be longer than the ttl (" + ttl + ")");
      }
      Optional<Duration> autoExtend =
          duration("autoExtend", locked.autoExtend()).map(hold -> valid("autoExtend", hold));
      if (autoExtend.isPresent() && autoExtend.get().compareTo(ttl) < 0) {
        throw new IllegalStateException(
            "autoExtend must not be shorter than the ttl (" + ttl + ")");
      }
      return new LockedOperation(
          method,
          keySource(method, locked),
          ttl,
          valid("waitUpTo", duration("waitUpTo", locked.waitUpTo()).orElse(usual.waitUpTo())),
          autoExtend,
          atLeast,
          locked.whenBusy(),
          style);
    } catch (RuntimeException e) {
      throw new IllegalStateException(
          LockedOperation.nameOf(method) + " cannot work: " + e.getMessage(), e);
    }
  }

  private static void requireProxyable(Method method) {
    int modifiers = method.getModifiers();
    if (Modifier.isPrivate(modifiers)
        || Modifier.isStatic(modifiers)
        || Modifier.isFinal(modifiers)) {
      throw new IllegalStateException("Spring cannot intercept a method that is private, static or"
          + " final, so it would run without a lock");
    }
  }

  private Optional<Duration> duration(String attribute, String text) {
    String resolved = resolved(text);
    if (resolved.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(DurationStyle.detectAndParse(resolved));
    } catch (IllegalArgumentException e) {
      throw new IllegalStateException(
          attribute + " must be a duration such as 30s, 5m or PT30S, but is '" + resolved + "'", e);
    }
  }

  /** Refuses now what each call would be refused for. */
  private static Duration valid(String attribute, Duration duration) {
    if (duration.isNegative()) {
      throw new IllegalStateException(attribute + " must not be negative, but is " + duration);
    }
    if (duration.compareTo(LONGEST) > 0) {
      throw new IllegalStateException(attribute + " must not be longer than 365 days");
    }
    return duration;
  }

  private String resolved(String text) {
    String resolved = beans.resolveEmbeddedValue(text);
    return resolved == null ? "" : resolved;
  }

  private LockedOperation.KeySource keySource(Method method, Locked locked) {
    if (locked.key().isEmpty() == locked.name().isEmpty()) {
      throw new IllegalStateException("say either key, an expression, or name, a text");
    }
    if (!locked.name().isEmpty()) {
      LockKey name = LockKey.of(resolved(locked.name()));
      return (target, arguments) -> name;
    }
    return new LockKeyExpression(locked.key(), method, new BeanFactoryResolver(beans));
  }
}
