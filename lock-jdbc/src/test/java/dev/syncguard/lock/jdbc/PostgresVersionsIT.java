package dev.syncguard.lock.jdbc;

import org.junit.jupiter.api.Nested;

/** The versions between the oldest and the newest, which keep all contracts. See CONTRIBUTING for how to run all on these, too. */
class PostgresVersionsIT {

  @Nested
  class Postgres14 extends PostgresCoreContracts {
    Postgres14() {
      super(PostgresBinaries.V14);
    }
  }

  @Nested
  class Postgres15 extends PostgresCoreContracts {
    Postgres15() {
      super(PostgresBinaries.V15);
    }
  }

  @Nested
  class Postgres16 extends PostgresCoreContracts {
    Postgres16() {
      super(PostgresBinaries.V16);
    }
  }

  @Nested
  class Postgres17 extends PostgresCoreContracts {
    Postgres17() {
      super(PostgresBinaries.V17);
    }
  }
}
