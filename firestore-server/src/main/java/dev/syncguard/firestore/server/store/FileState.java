package dev.syncguard.firestore.server.store;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * What must be known beside the keys when a working file is opened again.
 *
 * @param lastTime the latest time that was given out
 * @param fingerprint of the indexes that are kept
 */
record FileState(long lastCommit, long lastTime, long horizon, String fingerprint) {
  static FileState of(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    return new FileState(
        in.getLong(),
        in.getLong(),
        in.getLong(),
        StandardCharsets.UTF_8.decode(in).toString());
  }

  byte[] toBytes() {
    byte[] text = fingerprint.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(3 * Long.BYTES + text.length)
        .putLong(lastCommit)
        .putLong(lastTime)
        .putLong(horizon)
        .put(text)
        .array();
  }
}
