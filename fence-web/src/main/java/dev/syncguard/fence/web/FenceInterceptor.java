package dev.syncguard.fence.web;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.ModelAndView;

/**
 * Does in Spring MVC what {@link FenceFilter} does in a servlet container, with the same answers.
 *
 * <p>Register it twice: as an interceptor, which looks at requests before their handlers, and as an exception resolver, which
 * answers with 412 when the transaction of a handler refuses a fence. Thread-safe.
 */
public final class FenceInterceptor implements HandlerInterceptor, HandlerExceptionResolver {

  private final FencePrecondition precondition;

  /** Creates an interceptor that asks {@code check} about the fence of every request that concerns a resource. */
  public FenceInterceptor(FencedResource resource, FenceCheck check) {
    precondition = new FencePrecondition(resource, check);
  }

  @Override
  public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler)
      throws Exception {
    return precondition.admits(request, response);
  }

  @Override
  public @Nullable ModelAndView resolveException(
      HttpServletRequest request,
      HttpServletResponse response,
      @Nullable Object handler,
      Exception error) {
    try {
      return FencePrecondition.answersRefusal(request, response, error) ? new ModelAndView() : null;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
