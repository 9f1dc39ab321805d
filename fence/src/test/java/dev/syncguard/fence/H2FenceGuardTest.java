package dev.syncguard.fence;

import java.sql.SQLException;
import org.h2.tools.Server;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class H2FenceGuardTest extends JdbcFenceGuardContract {

  private static Server server;

  @BeforeAll
  static void start() throws SQLException {
    server = Server.createTcpServer("-tcpPort", "0", "-ifNotExists").start();
  }

  @AfterAll
  static void stop() {
    server.stop();
  }

  @Override
  String url() {
    return "jdbc:h2:tcp://localhost:" + server.getPort()
        + "/mem:guarded;DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=60000";
  }
}
