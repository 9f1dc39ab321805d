package dev.syncguard.fence.web;

import dev.syncguard.fence.StaleFenceException;
import dev.syncguard.lock.Fence;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * With which fence a request was let in, to change what, and what had been said about its answer by then.
 *
 * <p>It stays with the request: one that comes by again, because another thread has done its work, may have written already and
 * must not be told that nothing was.
 */
record Admission(Fence fence, List<String> resources, Map<String, List<String>> headers) {

  private static final String ATTRIBUTE = Admission.class.getName();

  static Optional<Admission> of(HttpServletRequest request) {
    return Optional.ofNullable((Admission) request.getAttribute(ATTRIBUTE));
  }

  static boolean covers(HttpServletRequest request, String resource) {
    return of(request).filter(before -> before.resources.contains(resource)).isPresent();
  }

  static void grant(
      HttpServletRequest request, HttpServletResponse response, String resource, Fence fence) {
    List<String> resources =
        new ArrayList<>(of(request).map(Admission::resources).orElse(List.of()));
    resources.add(resource);
    Map<String, List<String>> headers =
        of(request).map(Admission::headers).orElseGet(() -> headersOf(response));
    request.setAttribute(ATTRIBUTE, new Admission(fence, resources, headers));
  }

  private static Map<String, List<String>> headersOf(HttpServletResponse response) {
    Map<String, List<String>> headers = new LinkedHashMap<>();
    for (String name : response.getHeaderNames()) {
      headers.put(name, List.copyOf(response.getHeaders(name)));
    }
    return headers;
  }

  /** Returns the refusal of this fence among the causes of an error. That of another one is an error like any other. */
  Optional<StaleFenceException> refusalIn(Throwable error) {
    for (Throwable cause = error; cause != null; cause = cause.getCause()) {
      if (cause instanceof StaleFenceException refusal && refusal.fence().equals(fence)) {
        return Optional.of(refusal);
      }
    }
    return Optional.empty();
  }

  /** Forgets what the handler said so far, but not what filters in front of it did, such as those of CORS. */
  void beginAnswerAnew(HttpServletResponse response) {
    response.reset();
    headers.forEach((name, values) -> values.forEach(value -> response.addHeader(name, value)));
  }
}
