package com.example.locks;

import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.memory.ManualTime;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.testkit.LockFixture;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import org.h2.jdbcx.JdbcConnectionPool;

/** A database in memory for one test, on a clock that stands still unless the test moves it. */
final class H2Fixture implements LockFixture.SettableClock {

  private final ManualTime time = ManualTime.stopped();
  private final JdbcConnectionPool database =
      JdbcConnectionPool.create("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "", "");

  H2Fixture() {
    database.setMaxConnections(100);
    open().close(); // Makes the table, which presetFence needs.
  }

  @Override
  public LockBackend open() {
    return new H2LockBackend(database, time);
  }

  @Override
  public void pass(Duration duration) {
    time.advance(duration);
  }

  @Override
  public void presetFence(LockKey key, long handedOut) {
    try (Connection connection = database.getConnection();
        PreparedStatement insert = connection.prepareStatement("insert into locks values (?, null, ?, 0, 0)")) {
      insert.setString(1, key.value());
      insert.setLong(2, handedOut);
      insert.executeUpdate();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Holders may say who they are; this table has no room for it. */
  @Override
  public boolean keepsNotes() {
    return false;
  }

  @Override
  public void close() {
    try (Connection connection = database.getConnection()) {
      connection.createStatement().execute("shutdown");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    database.dispose();
  }
}
