package dev.syncguard.firestore.server.export;

import java.util.zip.CRC32C;

/**
 * The framing of a log as LevelDB writes it: blocks of one size, in which a record is one fragment or several, each with a
 * checksum, a length and a type before it.
 */
final class LogFormat {
  static final int BLOCK = 32_768;
  /** Checksum, length and type. */
  static final int HEADER = 7;

  /** What pads the end of a block, or of a file that was made in whole blocks. */
  static final int PADDING = 0;

  static final int FULL = 1;
  static final int FIRST = 2;
  static final int MIDDLE = 3;
  static final int LAST = 4;

  /**
   * How long one record may be. The largest document fits many times over, but the format repeats the name of an array for
   * each of its elements, so some documents become far longer than they are.
   */
  static final int MAX_RECORD = 64 << 20;

  private LogFormat() {}

  /** Returns the checksum of a fragment, in the form in which it is stored: never that of bytes that hold checksums. */
  static int checksum(int type, byte[] data, int offset, int length) {
    CRC32C checksum = new CRC32C();
    checksum.update(type);
    checksum.update(data, offset, length);
    return Integer.rotateRight((int) checksum.getValue(), 15) + 0xa282ead8;
  }
}
