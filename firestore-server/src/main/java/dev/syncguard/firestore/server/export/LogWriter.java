package dev.syncguard.firestore.server.export;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Writes records as a log. Not thread-safe. */
final class LogWriter implements AutoCloseable {
  private final OutputStream out;
  private long size;

  LogWriter(OutputStream out) {
    this.out = out;
  }

  /** Returns how many bytes there are so far, headers included. */
  long size() {
    return size;
  }

  void append(byte[] record) throws IOException {
    int start = 0;
    boolean first = true;
    do {
      int room = roomForFragment();
      int length = Math.min(record.length - start, room - LogFormat.HEADER);
      boolean last = start + length == record.length;
      write(type(first, last), record, start, length);
      start += length;
      first = false; // also if only a header fitted into the block
    } while (start < record.length);
  }

  private static int type(boolean first, boolean last) {
    if (first) {
      return last ? LogFormat.FULL : LogFormat.FIRST;
    }
    return last ? LogFormat.LAST : LogFormat.MIDDLE;
  }

  /** Returns what is left of the block, after filling it up if no header fits. */
  private int roomForFragment() throws IOException {
    int room = LogFormat.BLOCK - (int) (size % LogFormat.BLOCK);
    if (room >= LogFormat.HEADER) {
      return room;
    }
    out.write(new byte[room]);
    size += room;
    return LogFormat.BLOCK;
  }

  private void write(int type, byte[] record, int start, int length) throws IOException {
    ByteBuffer header = ByteBuffer.allocate(LogFormat.HEADER).order(ByteOrder.LITTLE_ENDIAN);
    header.putInt(LogFormat.checksum(type, record, start, length));
    header.putShort((short) length).put((byte) type);
    out.write(header.array());
    out.write(record, start, length);
    size += LogFormat.HEADER + length;
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
