package dev.syncguard.firestore.server.value;

import com.google.protobuf.Timestamp;
import dev.syncguard.firestore.server.FirestoreServerException;
import java.time.Instant;

/** Conversions between wire timestamps and microseconds since 1970, the unit of every time the server keeps. */
public final class Times {
  private static final long MICROS = 1_000_000;
  /** 0001-01-01T00:00:00Z and 9999-12-31T23:59:59Z, the range of a wire timestamp. */
  private static final long MIN_SECONDS = -62_135_596_800L;

  private static final long MAX_SECONDS = 253_402_300_799L;

  private Times() {}

  /** Returns the microseconds since 1970, rounded down. */
  public static long micros(Timestamp time) {
    return Math.addExact(Math.multiplyExact(time.getSeconds(), MICROS), time.getNanos() / 1000);
  }

  /** Returns the microseconds since 1970, rounded down. */
  public static long micros(Instant time) {
    return Math.addExact(Math.multiplyExact(time.getEpochSecond(), MICROS), time.getNano() / 1000);
  }

  /** Returns the wire form. */
  public static Timestamp timestamp(long micros) {
    return Timestamp.newBuilder()
        .setSeconds(Math.floorDiv(micros, MICROS))
        .setNanos((int) Math.floorMod(micros, MICROS) * 1000)
        .build();
  }

  /** Returns the microseconds of a time that a request names and that must not be finer than that. */
  public static long alignedMicros(Timestamp time, String what) {
    requireValid(time);
    if (!isAligned(time)) {
      throw FirestoreServerException.invalid(what + " must be a multiple of one microsecond.");
    }
    return micros(time);
  }

  /** Returns whether the time is a whole number of microseconds. */
  @SuppressWarnings("ProtoTimestampGetSecondsGetNano") // the part of a second decides
  public static boolean isAligned(Timestamp time) {
    return time.getNanos() % 1000 == 0;
  }

  /** Refuses a timestamp outside of the years 1 to 9999 or with impossible nanoseconds. */
  public static void requireValid(Timestamp time) {
    if (time.getSeconds() < MIN_SECONDS
        || time.getSeconds() > MAX_SECONDS
        || time.getNanos() < 0
        || time.getNanos() > 999_999_999) {
      throw FirestoreServerException.invalid(
          "Timestamp is out of range: it must lie in the years 1 to 9999.");
    }
  }
}
