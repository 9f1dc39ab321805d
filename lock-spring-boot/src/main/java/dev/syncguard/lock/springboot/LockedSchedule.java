package dev.syncguard.lock.springboot;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.core.annotation.AliasFor;

/**
 * Lets a {@code @Scheduled} method run once in the cluster: whoever comes while it runs elsewhere, or too soon after it
 * began, skips it.
 *
 * <p>{@code @Scheduled(cron = "0 0 3 * * *") @LockedSchedule(name = "nightly", atLeast = "1m", atMost = "30m")}. It is
 * {@link Locked} without waiting.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@Locked(waitUpTo = "0s", whenBusy = WhenBusy.SKIP)
public @interface LockedSchedule {

  /** The key, which all machines share; it may contain placeholders. */
  @AliasFor(annotation = Locked.class)
  String name();

  /** After this long others may begin, even if this machine has died meanwhile. Longer than the job ever takes. */
  @AliasFor(annotation = Locked.class, attribute = "ttl")
  String atMost() default "";

  /** Others do not begin before this long after we began: longer than their clocks are apart. */
  @AliasFor(annotation = Locked.class)
  String atLeast() default "";
}
