package dev.syncguard.lock.springboot;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Runs a method of a Spring bean only while holding a lock, which is always released.
 *
 * <p>{@code @Locked(key = "'order:' + #order.id") void ship(Order order, Fence fence)}: parameters of type {@link
 * dev.syncguard.lock.Lease} and {@link dev.syncguard.lock.Fence} are filled in, whatever the caller passed, also with null;
 * {@link CurrentLease} has them elsewhere. A method that returns a {@code CompletableFuture}, a {@code Mono} or a {@code
 * Flux}, and a Kotlin suspend function, waits without blocking and holds the lock until its result is complete.
 *
 * <p>The lock is outside of {@code @Transactional}: it is taken before the transaction begins and released after it has
 * ended. It is not reentrant. As with every Spring annotation, a call from within the same object is not seen.
 *
 * <p>Durations are written as {@code 30s}, {@code 5m} or {@code PT30S}, and may be placeholders: {@code ${report.ttl}}.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.ANNOTATION_TYPE})
public @interface Locked {

  /** The key, as a SpEL expression that knows the parameters by name, and beans: {@code 'order:' + #order.id}. */
  String key() default "";

  /** The key as it is, instead of {@link #key()}; it may contain placeholders. */
  String name() default "";

  /** How long the lease lasts when nobody extends it; {@code syncguard.locked.ttl} by default. */
  String ttl() default "";

  /** How long to wait for the key; zero tries once. {@code syncguard.locked.wait-up-to} by default. */
  String waitUpTo() default "";

  /** Renews the lease while the method runs, but not beyond this time. By default it is not renewed. */
  String autoExtend() default "";

  /** Keeps the key for at least this long, even if the method is done earlier. By default it is released at once. */
  String atLeast() default "";

  /** What happens when somebody else has the key for as long as we wait. */
  WhenBusy whenBusy() default WhenBusy.FAIL;
}
