package dev.syncguard.firestore.server.transaction;

import com.google.protobuf.ByteString;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * What an opaque transaction id says: which server run and database issued it, its number there, and the priority that a
 * retry inherits. So an id that is over can be told from one that never was, without remembering either.
 */
record TransactionId(long issuer, long number, long priority) {
  private static final int BYTES = 3 * Long.BYTES;

  ByteString toBytes() {
    ByteBuffer buffer = ByteBuffer.allocate(BYTES);
    buffer.putLong(issuer).putLong(number).putLong(priority).flip();
    return ByteString.copyFrom(buffer);
  }

  static Optional<TransactionId> parse(ByteString bytes) {
    if (bytes.size() != BYTES) {
      return Optional.empty();
    }
    ByteBuffer buffer = bytes.asReadOnlyByteBuffer();
    return Optional.of(new TransactionId(buffer.getLong(), buffer.getLong(), buffer.getLong()));
  }
}
