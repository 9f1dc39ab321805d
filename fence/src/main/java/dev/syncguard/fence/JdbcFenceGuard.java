package dev.syncguard.fence;

import dev.syncguard.lock.Fence;
import dev.syncguard.lock.Lease;
import dev.syncguard.lock.LockKey;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;

/**
 * Refuses late holders inside of the database transaction that they write in.
 *
 * <p>A table of its own keeps the highest fence of each resource; create it with {@link #setupSchema}. A check raises it, or
 * throws {@link StaleFenceException}. An equal fence passes: a holder may write more than once. Until the transaction ends,
 * holders of other fences wait. Immutable; threads may share a guard, though not a connection.
 */
public final class JdbcFenceGuard {

  private final SeenFences fences;

  private JdbcFenceGuard(SeenFences fences) {
    this.fences = fences;
  }

  /** Returns a guard for PostgreSQL. */
  public static JdbcFenceGuard postgres() {
    return new JdbcFenceGuard(SeenFences.POSTGRES);
  }

  /** Returns a guard for SQLite. */
  public static JdbcFenceGuard sqlite() {
    return new JdbcFenceGuard(SeenFences.SQLITE);
  }

  /** Returns a guard for MySQL or MariaDB, with tables of InnoDB. */
  public static JdbcFenceGuard mysql() {
    return new JdbcFenceGuard(SeenFences.MYSQL);
  }

  /** Returns a guard for H2. */
  public static JdbcFenceGuard h2() {
    return new JdbcFenceGuard(SeenFences.H2);
  }

  /** Returns the statement that creates the table, for those who keep their schema in files. */
  public String schema() {
    return fences.schema();
  }

  /** Creates the table unless it is there. On MySQL this commits whatever transaction is open. */
  public void setupSchema(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(schema());
    }
  }

  /**
   * Refuses a fence that is lower than one that the resource has seen. Begin each transaction with it, and roll back when it
   * throws: in the transaction that checks, nobody with another fence can write.
   */
  public void check(Connection connection, String resource, Fence fence) throws SQLException {
    String name = LockKey.of(resource).value();
    if (connection.getAutoCommit()) {
      throw new IllegalStateException("A fence is checked in the transaction that writes, but this"
          + " connection commits every statement by itself; call setAutoCommit(false) first");
    }
    if (!fences.raise(connection, name, fence.value())) {
      throw new StaleFenceException(fence);
    }
  }

  /** As {@link #check(Connection, String, Fence)} for the key of the lease; one that is lost is refused without asking. */
  public void check(Connection connection, Lease lease) throws SQLException {
    lease.ensureHeld(Duration.ZERO);
    check(connection, lease.key().value(), lease.fence());
  }

  /** Runs work in a transaction of its own that begins with {@link #check(Connection, Lease)}, and commits it. */
  public void write(Lease lease, DataSource database, Work work) throws SQLException {
    lease.ensureHeld(Duration.ZERO);
    write(lease.key().value(), lease.fence(), database, work);
  }

  /** As {@link #write(Lease, DataSource, Work)} where the lease itself is elsewhere. */
  public void write(String resource, Fence fence, DataSource database, Work work)
      throws SQLException {
    try (Connection connection = database.getConnection()) {
      boolean autoCommit = connection.getAutoCommit();
      connection.setAutoCommit(false);
      try {
        check(connection, resource, fence);
        work.run(connection);
        connection.commit();
      } catch (Throwable e) {
        // Also a checked exception that some languages let through here.
        rollBack(connection, autoCommit, e);
        throw e;
      }
      connection.setAutoCommit(autoCommit);
    }
  }

  private static void rollBack(Connection connection, boolean autoCommit, Throwable reason) {
    try {
      connection.rollback();
      connection.setAutoCommit(autoCommit);
    } catch (SQLException e) {
      reason.addSuppressed(e);
    }
  }

  /** What is written under the protection of the guard. */
  @FunctionalInterface
  public interface Work {
    /** Writes through the connection, in the transaction in which the fence was checked. */
    void run(Connection connection) throws SQLException;
  }
}
