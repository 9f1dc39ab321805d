package dev.syncguard.benchmarks.sqlite;

import dev.syncguard.benchmarks.SyncGuardContender;
import dev.syncguard.benchmarks.handoff.Contender;
import dev.syncguard.lock.jdbc.SqliteLockBackend;
import java.nio.file.Path;

/** SyncGuard on an SQLite file, as one process among several that only ask again and again. */
public final class SqlitePollingContender implements Contender {

  private final SyncGuardContender contender;

  public SqlitePollingContender(String file) {
    contender = SyncGuardContender.polling(SqliteLockBackend.open(Path.of(file)));
  }

  @Override
  public void underLock(Runnable work) {
    contender.underLock(work);
  }

  @Override
  public void close() {
    contender.close();
  }
}
