package dev.syncguard.firestore.server.durability;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Where logs are written. Tests put one in its place that fails, or that forgets what was not forced. */
interface Disk {
  /** The disk of this machine. */
  Disk REAL = Disk::openChannel;

  /** Opens a file for appending, making it if need be. */
  Appender append(Path file) throws IOException;

  /** The end of one file. */
  interface Appender extends Closeable {
    /** Appends all of the bytes. */
    void write(ByteBuffer bytes) throws IOException;

    /** Waits until everything written so far survives a power cut. */
    void force() throws IOException;

    long size() throws IOException;
  }

  private static Appender openChannel(Path file) throws IOException {
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    return new Appender() {
      @Override
      public void write(ByteBuffer bytes) throws IOException {
        LogFiles.writeFully(channel, bytes);
      }

      @Override
      public void force() throws IOException {
        channel.force(true);
      }

      @Override
      public long size() throws IOException {
        return channel.size();
      }

      @Override
      public void close() throws IOException {
        channel.close();
      }
    };
  }
}
