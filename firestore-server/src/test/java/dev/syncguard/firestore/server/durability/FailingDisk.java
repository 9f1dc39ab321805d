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
  public Appender append(Path file) throws IOException {
    if (isNext()) {
      throw thrown();
    }
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
        if (isNext()) {
          throw thrown();
        }
        real.force();
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
