package dev.syncguard.lock.springboot;

import dev.syncguard.lock.Locks;
import java.lang.reflect.Method;
import java.util.function.Supplier;
import org.aopalliance.aop.Advice;
import org.springframework.aop.ClassFilter;
import org.springframework.aop.MethodMatcher;
import org.springframework.aop.Pointcut;
import org.springframework.aop.support.AbstractPointcutAdvisor;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.StaticMethodMatcher;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Puts {@link Locked} around methods. An annotation that cannot work fails the start of the application. Thread-safe.
 *
 * <p>What has a lower order is further outside. {@code @Transactional} has {@link Ordered#LOWEST_PRECEDENCE} unless told
 * otherwise, so with {@link #DEFAULT_ORDER} the lock is outside of the transaction.
 */
public final class LockedAdvisor extends AbstractPointcutAdvisor {

  private static final long serialVersionUID = 1L;

  /** The order of this advisor unless {@code syncguard.locked.order} says otherwise. */
  public static final int DEFAULT_ORDER = Ordered.LOWEST_PRECEDENCE - 100;

  private final transient LockedOperations operations;
  private final transient LockedInterceptor interceptor;

  /** Creates the advisor. The suppliers are asked late: advisors are made before most other beans. */
  public LockedAdvisor(
      ConfigurableBeanFactory beans,
      Supplier<Locks> locks,
      Supplier<LockedDefaults> defaults,
      int order) {
    this.operations = new LockedOperations(beans, defaults);
    this.interceptor = new LockedInterceptor(operations, locks);
    setOrder(order);
  }

  @Override
  public Pointcut getPointcut() {
    return new Pointcut() {
      @Override
      public ClassFilter getClassFilter() {
        return LockedAdvisor.this::hasLockedMethods;
      }

      @Override
      public MethodMatcher getMethodMatcher() {
        return new StaticMethodMatcher() {
          @Override
          public boolean matches(Method method, Class<?> targetClass) {
            return operations.isLocked(AopUtils.getMostSpecificMethod(method, targetClass));
          }
        };
      }
    };
  }

  /** Looks at all methods, also at those that no proxy can intercept, so that none is left without its lock in silence. */
  private boolean hasLockedMethods(Class<?> type) {
    if (!AnnotationUtils.isCandidateClass(type, Locked.class)) {
      return false;
    }
    boolean found = false;
    for (Method method : ReflectionUtils.getUniqueDeclaredMethods(type)) {
      found |= operations.isLocked(method);
    }
    return found;
  }

  @Override
  public Advice getAdvice() {
    return interceptor;
  }
}
