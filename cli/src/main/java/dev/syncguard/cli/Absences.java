package dev.syncguard.cli;

import dev.syncguard.lock.spi.Absence;

/** The words of the specification for why a lease was not there. */
final class Absences {

  private Absences() {}

  /** Adds the reason, if the store told one. */
  static void describe(JsonLine json, Absence absence) {
    switch (absence) {
      case EXPIRED -> json.add("reason", "expired");
      case NOT_FOUND -> json.add("reason", "not-found");
      case UNKNOWN -> {}
    }
  }
}
