package dev.syncguard.console;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Collections;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Serves a {@link Console} in a servlet container: map it to a path that ends in {@code /*}. Thread-safe.
 *
 * <p>The container decides who reaches it. The console still asks for its token and for a host name that it was told of.
 */
public final class ConsoleServlet extends HttpServlet {

  private static final int MAX_REQUEST_BYTES = 16 << 20;

  private final transient Console console;

  /** Creates a servlet that serves this console under the path that it is mapped to. */
  public ConsoleServlet(Console console) {
    this.console = console;
  }

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    String mount = request.getContextPath() + request.getServletPath();
    String path = request.getRequestURI().substring(mount.length());
    if (path.isEmpty()) {
      response.sendRedirect(mount + "/");
      return;
    }
    Map<String, String> headers = new HashMap<>();
    for (String name : Collections.list(request.getHeaderNames())) {
      headers.put(name.toLowerCase(Locale.ROOT), request.getHeader(name));
    }
    String query = request.getQueryString();
    ConsoleRequest bare = new ConsoleRequest(
        request.getMethod(), path, query == null ? "" : query, headers, new byte[0]);
    Optional<ConsoleResponse> refusal = console.refusal(bare);
    if (refusal.isPresent()) {
      send(refusal.get(), response);
      return;
    }
    byte[] body = request.getInputStream().readNBytes(MAX_REQUEST_BYTES + 1);
    if (body.length > MAX_REQUEST_BYTES) {
      response.sendError(HttpServletResponse.SC_REQUEST_ENTITY_TOO_LARGE);
      return;
    }
    send(console.answer(bare.with(body)), response);
  }

  private static void send(ConsoleResponse answer, HttpServletResponse response)
      throws IOException {
    response.setStatus(answer.status());
    answer.headers().forEach(response::setHeader);
    if (answer.rest().isEmpty()) {
      response.setContentLength(answer.body().length);
    }
    OutputStream out = response.getOutputStream();
    out.write(answer.body());
    if (answer.rest().isPresent()) {
      response.flushBuffer();
      try {
        answer.rest().get().writeTo(out);
      } catch (IOException e) {
        return; // The page was closed, which is how such an answer ends.
      }
    }
  }
}
