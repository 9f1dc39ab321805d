package dev.syncguard.firestore.server.listen;

import com.google.protobuf.ByteString;
import java.nio.ByteBuffer;
import java.util.OptionalLong;

/** The time up to which a listener has seen everything, as an opaque token. */
final class ResumeToken {
  private ResumeToken() {}

  static ByteString of(long micros) {
    return ByteString.copyFrom(ByteBuffer.allocate(Long.BYTES).putLong(micros).flip());
  }

  static OptionalLong parse(ByteString token) {
    return token.size() == Long.BYTES
        ? OptionalLong.of(token.asReadOnlyByteBuffer().getLong())
        : OptionalLong.empty();
  }
}
