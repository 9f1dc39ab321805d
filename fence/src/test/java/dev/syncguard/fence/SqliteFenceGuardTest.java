package dev.syncguard.fence;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class SqliteFenceGuardTest extends JdbcFenceGuardContract {

  @TempDir
  private Path directory;

  @Override
  String url() {
    return "jdbc:sqlite:" + directory.resolve("resource.db") + "?busy_timeout=60000";
  }
}
