package dev.syncguard.firestore.server.listen;

import com.google.protobuf.ByteString;
import java.nio.ByteBuffer;
import java.util.OptionalLong;

/** The times up to which listeners have seen everything, as opaque tokens that say which run of a server has made them. */
final class ResumeTokens {
  private static final int LENGTH = 2 * Long.BYTES;

  private final long run;

  ResumeTokens(long run) {
    this.run = run;
  }

  ByteString at(long micros) {
    return ByteString.copyFrom(
        ByteBuffer.allocate(LENGTH).putLong(micros).putLong(run).flip());
  }

  OptionalLong micros(ByteString token) {
    return token.size() == LENGTH
        ? OptionalLong.of(token.asReadOnlyByteBuffer().getLong())
        : OptionalLong.empty();
  }

  boolean areOurs(ByteString token) {
    return token.size() == LENGTH && token.asReadOnlyByteBuffer().getLong(Long.BYTES) == run;
  }
}
