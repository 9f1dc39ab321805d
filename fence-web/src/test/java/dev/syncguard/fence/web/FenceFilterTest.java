package dev.syncguard.fence.web;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;

class FenceFilterTest extends FenceOverHttpContract {

  @Override
  void install(Context context, Ledger ledger) {
    FilterDef filter = new FilterDef();
    filter.setFilterName("fences");
    filter.setFilter(new FenceFilter(Ledger::resource, ledger::check));
    context.addFilterDef(filter);
    FilterMap everything = new FilterMap();
    everything.setFilterName("fences");
    everything.addURLPattern("/*");
    context.addFilterMap(everything);
    Tomcat.addServlet(context, "ledger", new LedgerServlet(ledger));
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
      try {
        if (Optional.ofNullable(request.getQueryString()).isPresent()) {
          beOvertaken(ledger);
        }
        String body = new String(request.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        ledger.write(FenceFilter.fence(request).orElseThrow(), body);
        response.setStatus(204);
      } catch (IOException e) {
        throw e;
      } catch (Exception e) {
        throw new ServletException(e);
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
