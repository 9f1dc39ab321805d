package dev.syncguard.fence.web;

import dev.syncguard.lock.Fence;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.jspecify.annotations.Nullable;

class FenceFilterTest extends FenceOverHttpContract {

  @Override
  void install(Context context, Ledger ledger) {
    addFilter(context, "fences", new FenceFilter(Ledger::resource, ledger::check));
    addFilter(context, "archive", new FenceFilter(FenceOverHttpContract::archive, ledger::check));
    Tomcat.addServlet(context, "ledger", new LedgerServlet(ledger)).setAsyncSupported(true);
    context.addServletMappingDecoded("/ledger", "ledger");
  }

  private static final class LedgerServlet extends HttpServlet {

    private static final long serialVersionUID = 1L;

    private final transient Ledger ledger;

    LedgerServlet(Ledger ledger) {
      this.ledger = ledger;
    }

    @Override
    protected void doPut(HttpServletRequest request, HttpServletResponse response)
        throws ServletException, IOException {
      if (request.getDispatcherType() == DispatcherType.ASYNC) {
        if (request.getAttribute("failure") instanceof RuntimeException failure) {
          throw failure;
        }
        response.setStatus(204);
        return;
      }
      String query = request.getQueryString();
      String body = new String(request.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      Fence fence = FenceFilter.fence(request).orElseThrow();
      if (query != null && query.startsWith("async")) {
        AsyncContext later = request.startAsync();
        later.start(() -> {
          try {
            write(query, fence, body);
          } catch (RuntimeException e) {
            request.setAttribute("failure", e);
          }
          later.dispatch();
        });
        return;
      }
      if ("slow".equals(query)) {
        // Half an answer, of which nothing may be left in a refusal.
        response.setContentLength(2000);
        response.getWriter().print("ok");
      }
      write(query, fence, body);
      response.setStatus(204);
    }

    private void write(@Nullable String query, Fence fence, String body) {
      try {
        handle(query, ledger, fence, body);
      } catch (RuntimeException e) {
        throw e;
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response)
        throws ServletException, IOException {
      try {
        response.getWriter().print(ledger.read());
      } catch (java.sql.SQLException e) {
        throw new ServletException(e);
      }
    }
  }
}
