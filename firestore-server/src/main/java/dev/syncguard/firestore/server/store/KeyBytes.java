package dev.syncguard.firestore.server.store;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.h2.mvstore.DataUtils;
import org.h2.mvstore.WriteBuffer;
import org.h2.mvstore.type.BasicDataType;

/**
 * How the engine orders and keeps the keys of the key space: byte by byte, without signs.
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
  public byte[][] createStorage(int size) {
    return new byte[size][];
  }
}
