package dev.syncguard.firestore.server.listen;

import com.google.firestore.v1.BitSequence;
import com.google.firestore.v1.BloomFilter;
import com.google.protobuf.ByteString;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;

/**
 * A Bloom filter over the names of documents, as clients read it: MD5 of the name gives two numbers of 64 bits, and the
 * i-th bit is the first plus i times the second, without sign, modulo the number of bits.
 */
final class NameFilter {
  /**
   * About one name in 10,000 is taken for another. With the usual one in 100, a client that misses fifty deletions would
   * mostly have to read everything again, which costs more than three bytes for each name.
   */
  private static final int BITS_PER_NAME = 24;

  private static final int HASHES = 17;
  /** In fewer bits the hashes of a name fall together, and more names are taken for another. */
  private static final int MIN_BYTES = 256;
  /** Leaves an odd number of bits, in which the second number of a name is less often of no use. */
  private static final int PADDING = 1;

  private NameFilter() {}

  static BloomFilter of(Collection<String> names) {
    byte[] bits = new byte[Math.max(MIN_BYTES, names.size() * BITS_PER_NAME / Byte.SIZE)];
    MessageDigest md5 = md5();
    for (String name : names) {
      ByteBuffer digest = ByteBuffer.wrap(md5.digest(name.getBytes(StandardCharsets.UTF_8)))
          .order(ByteOrder.LITTLE_ENDIAN);
      add(bits, digest.getLong(), digest.getLong());
    }
    return BloomFilter.newBuilder()
        .setBits(BitSequence.newBuilder().setBitmap(ByteString.copyFrom(bits)).setPadding(PADDING))
        .setHashCount(HASHES)
        .build();
  }

  private static void add(byte[] bits, long first, long second) {
    long hash = first;
    for (int i = 0; i < HASHES; i++) {
      int bit = (int) Long.remainderUnsigned(hash, (long) bits.length * Byte.SIZE - PADDING);
      bits[bit / Byte.SIZE] |= (byte) (1 << (bit % Byte.SIZE));
      hash += second;
    }
  }

  private static MessageDigest md5() {
    try {
      return MessageDigest.getInstance("MD5");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java has MD5", e);
    }
  }
}
