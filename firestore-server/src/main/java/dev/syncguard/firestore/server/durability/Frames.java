package dev.syncguard.firestore.server.durability;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32C;

/**
 * Byte strings one after the other, each with its length, a checksum of the length and one of its bytes before it. The
 * length has its own, so that a length that was damaged is not taken for a write that was cut off.
 */
final class Frames {
  private static final int HEADER = 3 * Integer.BYTES;

  /** How many things at the start of a file are whole, where they end, and what is wrong after that. */
  record Scan(long whole, long validBytes, long lostBytes, Damage damage) {}

  enum Damage {
    NONE,
    /** The end of the file is missing or half written, as after a crash. */
    TORN,
    /** A frame is wrong although more follows it. */
    CORRUPT
  }

  /** Takes the frames of a file, one at a time. */
  interface Reader {
    /** Returns whether what has come is whole; otherwise the next frame is another part of it. */
    boolean read(byte[] payload) throws IOException;
  }

  private Frames() {}

  static byte[] encode(byte[] payload) {
    byte[] frame = new byte[HEADER + payload.length];
    ByteBuffer.wrap(frame)
        .putInt(payload.length)
        .putInt(checksum(payload.length))
        .putInt(checksum(payload))
        .put(payload);
    return frame;
  }

  /**
   * Hands over every whole frame from the start of the file up to the first that is not. What has parts counts if all of
   * them are there.
   */
  static Scan scan(Path file, Reader reader) throws IOException {
    long size = Files.size(file);
    long position = 0;
    long valid = 0;
    long whole = 0;
    try (DataInputStream in =
        new DataInputStream(new BufferedInputStream(Files.newInputStream(file), 1 << 16))) {
      while (size - position >= HEADER) {
        int length = in.readInt();
        int lengthChecksum = in.readInt();
        int checksum = in.readInt();
        long room = size - position - HEADER;
        if (length <= 0 || lengthChecksum != checksum(length)) {
          boolean blank = length == 0 && lengthChecksum == 0 && checksum == 0 && isBlank(in);
          return new Scan(whole, valid, size - valid, blank ? Damage.TORN : Damage.CORRUPT);
        }
        if (length > room) {
          return new Scan(whole, valid, size - valid, Damage.TORN);
        }
        byte[] payload = in.readNBytes(length);
        if (checksum(payload) != checksum) {
          return new Scan(
              whole, valid, size - valid, length == room ? Damage.TORN : Damage.CORRUPT);
        }
        position += HEADER + length;
        if (reader.read(payload)) {
          whole++;
          valid = position;
        }
      }
    }
    return new Scan(whole, valid, size - valid, valid == size ? Damage.NONE : Damage.TORN);
  }

  // Some file systems leave zeros where a crash kept the data from arriving.
  private static boolean isBlank(DataInputStream in) throws IOException {
    int next = in.read();
    while (next == 0) {
      next = in.read();
    }
    return next < 0;
  }

  private static int checksum(int length) {
    return checksum(ByteBuffer.allocate(Integer.BYTES).putInt(length).array());
  }

  private static int checksum(byte[] payload) {
    CRC32C checksum = new CRC32C();
    checksum.update(payload);
    return (int) checksum.getValue();
  }
}
