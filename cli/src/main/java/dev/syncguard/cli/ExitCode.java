package dev.syncguard.cli;

import dev.syncguard.lock.LockException;

/** The exit codes of the program, where they can be the same as those of {@code sysexits.h}. */
final class ExitCode {

  static final int DONE = 0;
  /** The question was answered with no. */
  static final int NO = 1;

  static final int WRONG_USAGE = 2;
  static final int UNAVAILABLE = 69;
  static final int INTERNAL = 70;
  static final int BUSY = 75;
  static final int REFUSED = 77;
  static final int NOT_EXECUTABLE = 126;
  static final int NOT_FOUND = 127;
  private static final int SIGNAL = 128;

  private ExitCode() {}

  static int of(LockException.Code code) {
    return switch (code) {
      case INVALID_ARGUMENT -> WRONG_USAGE;
      case SERVICE_UNAVAILABLE, NETWORK_TIMEOUT, RATE_LIMITED, ABORTED, LEASE_LOST -> UNAVAILABLE;
      case ACQUISITION_TIMEOUT -> BUSY;
      case AUTH_FAILED -> REFUSED;
      case INTERNAL, FENCE_REGRESSION -> INTERNAL;
    };
  }

  /** Returns the code with which shells report that a program was ended by a signal. */
  static int ofSignal(int number) {
    return SIGNAL + number;
  }

  static boolean isSignal(int code) {
    return code > SIGNAL;
  }
}
