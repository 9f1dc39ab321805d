package dev.syncguard.lock.jdbc;

import dev.syncguard.lock.LockException;

/** The drivers that users bring, each for the database that they use. */
final class Drivers {

  private Drivers() {}

  /** Throws {@code InvalidArgument} and says what to add if the driver is not there. */
  static void require(String className, String artifact) {
    try {
      Class.forName(className, false, Drivers.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw LockException.invalidArgument(
          "The driver of this database is missing; add " + artifact + " to your dependencies");
    }
  }
}
