package dev.syncguard.fence;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** On MariaDB, which speaks the dialect of MySQL. */
class MariaDbFenceGuardIT extends JdbcFenceGuardContract {

  private static MariaDb server;

  @BeforeAll
  static void start() throws Exception {
    server = new MariaDb();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Override
  String url() {
    return server.url();
  }
}
