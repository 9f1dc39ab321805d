package dev.syncguard.lock.testkit;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Keeps everything that a logger and those below it write, until it is closed.
 *
 * <p>{@code System.Logger} ends up here through {@code java.util.logging}, its default.
 */
public final class CapturedLog implements AutoCloseable {

  private final List<LogRecord> records = new CopyOnWriteArrayList<>();
  private final Handler handler = new Keeper();
  private final Logger logger;
  private final @Nullable Level levelBefore;

  private CapturedLog(String loggerName, UnaryOperator<@Nullable Level> level) {
    logger = Logger.getLogger(loggerName);
    levelBefore = logger.getLevel();
    logger.setLevel(level.apply(levelBefore));
    logger.addHandler(handler);
  }

  /** Starts to listen at the finest level; the name is that of a package or of a class. */
  public static CapturedLog everythingOf(String loggerName) {
    return new CapturedLog(loggerName, level -> Level.ALL);
  }

  /** Starts to listen to all loggers, each at the level that it has. */
  public static CapturedLog asConfigured() {
    return new CapturedLog("", level -> level);
  }

  /** Returns what was logged so far, oldest first. */
  public List<LogRecord> records() {
    return List.copyOf(records);
  }

  @Override
  public void close() {
    logger.removeHandler(handler);
    logger.setLevel(levelBefore);
  }

  private final class Keeper extends Handler {
    @Override
    public void publish(LogRecord record) {
      records.add(record);
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
