package dev.syncguard.fence;

import dev.syncguard.lock.Fence;
import dev.syncguard.lock.Lease;
import dev.syncguard.lock.jdbc.SqliteLockBackend;
import dev.syncguard.lock.testkit.LateHolder;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;

/** A process that writes two rows of a database under a lock. */
final class JdbcHolder {

  private JdbcHolder() {}

  /** Arguments: address of the database, file of the locks, key. */
  public static void main(String[] args) throws IOException {
    TwoRows rows = new TwoRows(args[0]);
    JdbcFenceGuard guard = TwoRows.guard(args[0]);
    try (SqliteLockBackend backend = SqliteLockBackend.open(Path.of(args[1]))) {
      LateHolder.live(backend, args[2], new LateHolder.Resource() {
        @Override
        public void write(Lease lease, String text) throws SQLException {
          guard.write(lease, rows.source(), connection -> TwoRows.write(connection, text));
        }

        @Override
        public void write(Fence fence, String text) throws SQLException {
          guard.write(args[2], fence, rows.source(), connection -> TwoRows.write(connection, text));
        }
      });
    }
  }
}
