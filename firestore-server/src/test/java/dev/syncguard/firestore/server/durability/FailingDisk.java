package dev.syncguard.firestore.server.durability;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.function.Supplier;

/** A disk whose n-th step fails: a write leaves half of its bytes behind, a force says nothing of what is safe. */
final class FailingDisk implements Disk {
  private final Supplier<Throwable> failure;
  private long stepsLeft;
  private boolean failed;

  FailingDisk(long steps, Supplier<Throwable> failure) {
    this.stepsLeft = steps;
    this.failure = failure;
  }

  /** Returns a disk that never fails, and never waits for the real one either. */
  static FailingDisk never() {
    return new FailingDisk(Long.MAX_VALUE, AssertionError::new);
  }

  boolean hasFailed() {
    return failed;
  }

  private boolean isNext() {
    boolean now = !failed && stepsLeft-- == 0;
    failed |= now;
    return now;
  }

  private IOException thrown() throws IOException {
    Throwable thrown = failure.get();
    if (thrown instanceof Error error) {
      throw error;
    }
    return new IOException(thrown);
  }

  @Override
  public void move(Path from, Path to) throws IOException {
    step();
    REAL.move(from, to);
  }

  @Override
  public void delete(Path file) throws IOException {
    step();
    REAL.delete(file);
  }

  @Override
  public void force(Path file) throws IOException {
    step();
  }

  @Override
  public void createDirectory(Path directory) throws IOException {
    step();
    REAL.createDirectory(directory);
  }

  @Override
  public void sync(Path directory) throws IOException {
    step();
  }

  private void step() throws IOException {
    if (isNext()) {
      throw thrown();
    }
  }

  @Override
  public Appender append(Path file) throws IOException {
    step();
    Appender real = REAL.append(file);
    return new Appender() {
      @Override
      public void write(ByteBuffer bytes) throws IOException {
        if (isNext()) {
          real.write(bytes.slice(0, bytes.remaining() / 2));
          throw thrown();
        }
        real.write(bytes);
      }

      @Override
      public void force() throws IOException {
        step(); // no real one: nobody cuts the power here
      }

      @Override
      public long size() throws IOException {
        return real.size();
      }

      @Override
      public void close() throws IOException {
        real.close();
      }
    };
  }
}
