package dev.syncguard.lock.springboot;

import dev.syncguard.lock.LockKey;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.expression.Expression;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/** Reads {@link Locked} annotations, each once, and refuses those that could not work. Thread-safe. */
final class LockedOperations {

  private final ConfigurableBeanFactory beans;
  private final Supplier<LockedDefaults> defaults;
  private final DefaultParameterNameDiscoverer names = new DefaultParameterNameDiscoverer();
  private final SpelExpressionParser parser = new SpelExpressionParser();
  private final Map<Method, LockedOperation> known = new ConcurrentHashMap<>();

  LockedOperations(ConfigurableBeanFactory beans, Supplier<LockedDefaults> defaults) {
    this.beans = beans;
    this.defaults = defaults;
  }

  /** Returns whether the method is annotated, and throws if it is in a way that cannot work. */
  boolean isLocked(Method method) {
    Locked locked = annotation(method);
    if (locked == null) {
      return false;
    }
    if (!known.containsKey(method)) {
      known.put(method, read(method, locked));
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

  private static @Nullable Locked annotation(Method method) {
    // Kotlin copies the annotations of a suspend function to a method that only it calls.
    return method.isSynthetic()
        ? null
        : AnnotatedElementUtils.findMergedAnnotation(method, Locked.class);
  }

  private LockedOperation read(Method method, Locked locked) {
    String where = "@Locked " + method.getDeclaringClass().getName() + "." + method.getName();
    try {
      requireProxyable(method);
      ReturnStyle style = ReturnStyle.of(method);
      Class<?> returned = method.getReturnType();
      if (locked.whenBusy() == WhenBusy.SKIP && returned.isPrimitive() && returned != void.class) {
        throw new IllegalStateException("a method that returns " + returned
            + " has nothing to return when it is skipped; return an object, or choose FAIL");
      }
      LockedDefaults usual = defaults.get();
      Duration ttl = duration("ttl", locked.ttl()).orElse(usual.ttl());
      Duration atLeast = duration("atLeast", locked.atLeast()).orElse(Duration.ZERO);
      if (atLeast.compareTo(ttl) > 0) {
        throw new IllegalStateException("atLeast must not be longer than the ttl (" + ttl + ")");
      }
      Optional<Duration> autoExtend = duration("autoExtend", locked.autoExtend());
      if (autoExtend.isPresent() && autoExtend.get().compareTo(ttl) < 0) {
        throw new IllegalStateException(
            "autoExtend must not be shorter than the ttl (" + ttl + ")");
      }
      return new LockedOperation(
          method,
          keySource(method, locked, where),
          ttl,
          duration("waitUpTo", locked.waitUpTo()).orElse(usual.waitUpTo()),
          autoExtend,
          atLeast,
          locked.whenBusy(),
          style);
    } catch (RuntimeException e) {
      throw new IllegalStateException(where + " cannot work: " + e.getMessage(), e);
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

  private String resolved(String text) {
    String resolved = beans.resolveEmbeddedValue(text);
    return resolved == null ? "" : resolved;
  }

  private LockedOperation.KeySource keySource(Method method, Locked locked, String where) {
    if (locked.key().isEmpty() == locked.name().isEmpty()) {
      throw new IllegalStateException("say either key, an expression, or name, a text");
    }
    if (!locked.name().isEmpty()) {
      LockKey name = LockKey.of(resolved(locked.name()));
      return (target, arguments) -> name;
    }
    Expression expression = parser.parseExpression(locked.key());
    return (target, arguments) -> {
      MethodBasedEvaluationContext context =
          new MethodBasedEvaluationContext(target, method, arguments, names);
      context.setBeanResolver(new BeanFactoryResolver(beans));
      Object value = expression.getValue(context);
      if (value == null) {
        throw new IllegalStateException(where + ": the key is null. Does its expression name a"
            + " parameter that exists, and are parameter names compiled in (-parameters)?");
      }
      return LockKey.of(value.toString());
    };
  }
}
