package dev.syncguard.benchmarks.sqlite;

import dev.syncguard.benchmarks.measure.Participant;
import java.nio.file.Path;
import java.sql.SQLException;
import org.sqlite.SQLiteConfig.SynchronousMode;

/** A bare durable UPDATE, or several in a row: what the disk and SQLite cost by themselves. */
final class DurableUpdates implements Participant {

  private final String name;
  private final int perOperation;
  private final BareTable table;

  DurableUpdates(String name, int perOperation, Path file) throws SQLException {
    this.name = name;
    this.perOperation = perOperation;
    this.table = new BareTable(file, SynchronousMode.FULL);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Worker worker(int thread) {
    return new Worker() {
      private final Rows rows = new Rows(thread);

      @Override
      public void once() throws SQLException {
        int row = rows.next();
        for (int i = 0; i < perOperation; i++) {
          table.update(row);
        }
      }
    };
  }

  @Override
  public void close() {
    table.close();
  }
}
