package dev.syncguard.fence.web;

import dev.syncguard.lock.Fence;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;

/**
 * Refuses requests whose {@code Fence} header is lower than one that the resource has seen, with 412; 428 without a fence, 400
 * if it is none.
 *
 * <p>A request that was let in may still be slow. What it writes is safe only if its own transaction checks {@link #fence} once
 * more, for instance by a {@code JdbcFenceGuard}; a {@code StaleFenceException} from there becomes 412 as well. For asynchronous
 * servlets map the filter to the dispatcher type ASYNC too: it checks a request only once, and sees what a dispatch throws.
 * Thread-safe.
 */
public final class FenceFilter extends HttpFilter {

  private static final long serialVersionUID = 1L;

  private final transient FencePrecondition precondition;

  /** Creates a filter that asks {@code check} about the fence of every request that concerns a resource. */
  public FenceFilter(FencedResource resource, FenceCheck check) {
    precondition = new FencePrecondition(resource, check);
  }

  /** Returns the fence that a request was let in with, unless it needs none. */
  public static Optional<Fence> fence(HttpServletRequest request) {
    return Admission.of(request).map(Admission::fence);
  }

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    if (!admits(request, response)) {
      return;
    }
    try {
      chain.doFilter(request, response);
    } catch (RuntimeException | ServletException e) {
      if (!FencePrecondition.answersRefusal(request, response, e)) {
        throw e;
      }
    }
  }

  private boolean admits(HttpServletRequest request, HttpServletResponse response)
      throws IOException, ServletException {
    try {
      return precondition.admits(request, response);
    } catch (IOException | RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new ServletException("The fence could not be checked; nothing was done", e);
    }
  }
}
