package dev.syncguard.benchmarks.fence;

import dev.syncguard.fence.JdbcFenceGuard;
import dev.syncguard.fence.web.FenceFilter;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;

/** A web service that updates one row for each PUT, at {@code /bare} as it comes and at {@code /guarded} behind the filter. */
final class LedgerService implements AutoCloseable {

  // Kept, because a level is forgotten together with its logger.
  private static final Logger TOMCAT = Logger.getLogger("org.apache");

  private final Tomcat tomcat = new Tomcat();

  LedgerService(Path directory, DataSource database) throws Exception {
    TOMCAT.setLevel(Level.SEVERE);
    JdbcFenceGuard guard = JdbcFenceGuard.h2();
    try (Connection connection = database.getConnection()) {
      connection.createStatement().execute("CREATE TABLE ledger (balance BIGINT)");
      connection.createStatement().execute("INSERT INTO ledger VALUES (0)");
      guard.setupSchema(connection);
    }
    tomcat.setBaseDir(Files.createDirectories(directory).toString());
    tomcat.setPort(0);
    tomcat.getConnector().setProperty("address", "127.0.0.1");
    Context context = tomcat.addContext("", directory.toString());
    Tomcat.addServlet(context, "ledger", new LedgerServlet(database));
    context.addServletMappingDecoded("/*", "ledger");
    FilterDef filter = new FilterDef();
    filter.setFilterName("fence");
    filter.setFilter(new FenceFilter(
        request -> Optional.of("ledger"),
        (resource, fence) -> guard.write(resource, fence, database, transaction -> {})));
    context.addFilterDef(filter);
    FilterMap guarded = new FilterMap();
    guarded.setFilterName("fence");
    guarded.addURLPattern("/guarded");
    context.addFilterMap(guarded);
    tomcat.start();
  }

  HttpRequest put(String path) {
    URI address =
        URI.create("http://127.0.0.1:" + tomcat.getConnector().getLocalPort() + "/" + path);
    return HttpRequest.newBuilder(address)
        .PUT(HttpRequest.BodyPublishers.noBody())
        .build();
  }

  private static final class LedgerServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;
    private final transient DataSource database;

    LedgerServlet(DataSource database) {
      this.database = database;
    }

    @Override
    protected void doPut(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      try (Connection connection = database.getConnection()) {
        connection.createStatement().executeUpdate("UPDATE ledger SET balance = balance + 1");
      } catch (SQLException e) {
        response.sendError(500, "The ledger cannot be written");
      }
    }
  }

  @Override
  public void close() throws LifecycleException {
    tomcat.stop();
    tomcat.destroy();
  }
}
