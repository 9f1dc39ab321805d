package dev.syncguard.lock.spi;

import dev.syncguard.lock.Cancellation;
import java.util.List;

/** Examines a store: can it be reached, is it set up, can it keep what the library promises? */
public interface StoreCheck {

  /** Returns what was found, good news included. Throws only if there is nothing to examine. */
  List<Finding> examine(Cancellation cancellation);

  /**
   * One thing that was looked at.
   *
   * @param severity how bad it is
   * @param subject what was looked at, in one or two words
   * @param message what was found and what to do about it
   */
  record Finding(Severity severity, String subject, String message) {}

  /** How bad a finding is. */
  enum Severity {
    /** As it should be. */
    GOOD,
    /** Works, but a promise is weaker than it could be. */
    WARNING,
    /** Does not work, or is not safe. */
    FAILURE
  }
}
