package com.example.locks;

import dev.syncguard.lock.testkit.BackendContracts;
import dev.syncguard.lock.testkit.LivenessBoundaryContract;
import dev.syncguard.lock.testkit.LockFixture;
import org.junit.jupiter.api.Nested;

/** The H2 backend keeps what every backend promises. */
class H2ContractsTest extends BackendContracts {

  @Override
  public LockFixture newFixture() {
    return new H2Fixture();
  }

  /** Applies because the clock can be set; without it the kit would ask for it by name. */
  @Nested
  class LivenessBoundary extends LivenessBoundaryContract {}
}
