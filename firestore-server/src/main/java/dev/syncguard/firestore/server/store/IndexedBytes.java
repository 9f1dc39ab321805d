package dev.syncguard.firestore.server.store;

import java.nio.ByteBuffer;
import org.h2.mvstore.DataUtils;
import org.h2.mvstore.WriteBuffer;
import org.h2.mvstore.type.BasicDataType;

/** How the engine keeps the values of the key space. Those of index entries are few, so all entries share them. */
final class IndexedBytes extends BasicDataType<byte[]> {
  static final IndexedBytes INSTANCE = new IndexedBytes();

  private static final int OBJECT = 16;

  private IndexedBytes() {}

  @Override
  public int getMemory(byte[] value) {
    return value.length <= IndexPlace.BYTES ? 0 : OBJECT + value.length;
  }

  // The engine would guess from samples, and then write far more at once than it may leave
  // unwritten.
  @Override
  public boolean isMemoryEstimationAllowed() {
    return false;
  }

  @Override
  public void write(WriteBuffer out, byte[] value) {
    out.putVarInt(value.length).put(value);
  }

  @Override
  public byte[] read(ByteBuffer in) {
    byte[] value = new byte[DataUtils.readVarInt(in)];
    in.get(value);
    return value.length <= IndexPlace.BYTES ? IndexPlace.shared(value) : value;
  }

  @Override
  public byte[][] createStorage(int size) {
    return new byte[size][];
  }
}
