package dev.syncguard.firestore.server.store;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.h2.mvstore.DataUtils;
import org.h2.mvstore.WriteBuffer;
import org.h2.mvstore.type.BasicDataType;

/**
 * How the engine orders and keeps the keys of the key space: byte by byte, without signs. Of a page in the file, each key
 * leaves out what it has in common with the one before.
 *
 * <p>Its own type for byte arrays cannot compare them before 2.4, and applications bring the H2 that they like.
 */
final class KeyBytes extends BasicDataType<byte[]> {
  static final KeyBytes INSTANCE = new KeyBytes();

  private static final int OBJECT = 16;

  private KeyBytes() {}

  @Override
  public int compare(byte[] a, byte[] b) {
    return Arrays.compareUnsigned(a, b);
  }

  @Override
  public int getMemory(byte[] key) {
    return OBJECT + key.length;
  }

  // The engine would guess from samples, and then write far more at once than it may leave
  // unwritten.
  @Override
  public boolean isMemoryEstimationAllowed() {
    return false;
  }

  @Override
  public void write(WriteBuffer out, byte[] key) {
    out.putVarInt(key.length).put(key);
  }

  @Override
  public byte[] read(ByteBuffer in) {
    byte[] key = new byte[DataUtils.readVarInt(in)];
    in.get(key);
    return key;
  }

  @Override
  public void write(WriteBuffer out, Object page, int length) {
    byte[] before = Keys.NOTHING;
    for (int i = 0; i < length; i++) {
      byte[] key = cast(page)[i];
      int mismatch = Arrays.mismatch(before, key);
      int shared = mismatch < 0 ? key.length : mismatch;
      out.putVarInt(shared).putVarInt(key.length - shared).put(key, shared, key.length - shared);
      before = key;
    }
  }

  @Override
  public void read(ByteBuffer in, Object page, int length) {
    byte[] before = Keys.NOTHING;
    for (int i = 0; i < length; i++) {
      int shared = DataUtils.readVarInt(in);
      byte[] key = Arrays.copyOf(before, shared + DataUtils.readVarInt(in));
      in.get(key, shared, key.length - shared);
      cast(page)[i] = key;
      before = key;
    }
  }

  @Override
  public byte[][] createStorage(int size) {
    return new byte[size][];
  }
}
