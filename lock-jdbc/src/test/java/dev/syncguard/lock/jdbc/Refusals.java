package dev.syncguard.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.syncguard.lock.LockException;

/** What a caller is told when a store refuses. */
final class Refusals {

  private Refusals() {}

  /** Returns what the call throws, which it must. */
  static LockException refusal(Runnable call) {
    LockException refusal = catchThrowableOfType(LockException.class, call::run);
    assertThat(refusal).isNotNull();
    return refusal;
  }
}
