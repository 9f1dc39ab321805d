package dev.syncguard.firestore.server.operation;

import com.google.protobuf.Timestamp;
import dev.syncguard.firestore.server.transaction.Reading;
import dev.syncguard.firestore.server.value.Times;

/** The read times that requests name. */
final class ReadTimes {
  private ReadTimes() {}

  static Reading reading(Timestamp readTime) {
    return Reading.at(Times.alignedMicros(readTime, "read_time"));
  }
}
