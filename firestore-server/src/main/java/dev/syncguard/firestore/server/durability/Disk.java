package dev.syncguard.firestore.server.durability;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * All that is ever changed on disk. Tests put one in the place of the real one that fails, or that forgets what was not
 * forced when the power is cut.
 */
interface Disk {
  /** The disk of this machine. */
  Disk REAL = new RealDisk();

  /** Opens a file for appending, making it if need be. */
  Appender append(Path file) throws IOException;

  /** Gives a file another name, in one step. */
  void move(Path from, Path to) throws IOException;

  void delete(Path file) throws IOException;

  /** Waits until all of a file that somebody else wrote survives a power cut. */
  void force(Path file) throws IOException;

  void createDirectory(Path directory) throws IOException;

  /** Waits until the names in a directory survive a power cut. */
  void sync(Path directory) throws IOException;

  /** The end of one file. */
  interface Appender extends Closeable {
    /** Appends all of the bytes. */
    void write(ByteBuffer bytes) throws IOException;

    /** Waits until everything written so far survives a power cut. */
    void force() throws IOException;

    long size() throws IOException;
  }
}
