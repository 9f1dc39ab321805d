package dev.syncguard.firestore.server.export;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Reads the records of a log, one at a time, and refuses whatever is not as it was written. Not thread-safe. */
final class LogReader implements AutoCloseable {
  private final InputStream in;
  private long position;

  LogReader(Path file) throws IOException {
    this.in = new BufferedInputStream(Files.newInputStream(file), LogFormat.BLOCK);
  }

  /** Says that a log is damaged, and where. */
  static final class Damaged extends IOException {
    private static final long serialVersionUID = 1;

    Damaged(String message) {
      super(message);
    }
  }

  private record Fragment(int type, ByteString data) {}

  /** Returns the next record, or nothing at the end of the file. */
  Optional<byte[]> next() throws IOException {
    Optional<Fragment> fragment = fragment();
    if (fragment.isEmpty() || fragment.get().type() == LogFormat.FULL) {
      return fragment.map(only -> only.data().toByteArray());
    }
    require(fragment.get().type() == LogFormat.FIRST);
    ByteArrayOutputStream record = new ByteArrayOutputStream();
    fragment.get().data().writeTo(record);
    int type;
    do {
      Fragment more = fragment().orElseThrow(this::invalid);
      type = more.type();
      require(type == LogFormat.MIDDLE || type == LogFormat.LAST);
      more.data().writeTo(record);
      require(record.size() <= LogFormat.MAX_RECORD);
    } while (type != LogFormat.LAST);
    return Optional.of(record.toByteArray());
  }

  private Optional<Fragment> fragment() throws IOException {
    while (true) {
      int room = LogFormat.BLOCK - (int) (position % LogFormat.BLOCK);
      if (room < LogFormat.HEADER) {
        skipPadding(room);
        continue;
      }
      byte[] header = in.readNBytes(LogFormat.HEADER);
      if (header.length == 0) {
        return Optional.empty();
      }
      require(header.length == LogFormat.HEADER);
      ByteBuffer fields = ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN);
      int checksum = fields.getInt();
      int length = Short.toUnsignedInt(fields.getShort());
      int type = fields.get();
      if (checksum == 0 && length == 0 && type == LogFormat.PADDING) {
        position += LogFormat.HEADER;
        skipPadding(room - LogFormat.HEADER);
        continue;
      }
      require(type >= LogFormat.FULL && type <= LogFormat.LAST);
      require(length <= room - LogFormat.HEADER);
      byte[] data = in.readNBytes(length);
      require(data.length == length);
      if (LogFormat.checksum(type, data, 0, length) != checksum) {
        throw new Damaged("Checksum doesn't validate. It is damaged at byte " + position + ".");
      }
      position += LogFormat.HEADER + length;
      return Optional.of(new Fragment(type, UnsafeByteOperations.unsafeWrap(data)));
    }
  }

  /** Passes over the end of a block. The file may end before it. */
  private void skipPadding(int length) throws IOException {
    for (byte each : in.readNBytes(length)) {
      require(each == 0);
    }
    position += length;
  }

  private void require(boolean condition) throws IOException {
    if (!condition) {
      throw invalid();
    }
  }

  private Damaged invalid() {
    return new Damaged("Invalid record. It is damaged or cut off at byte " + position + ".");
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
