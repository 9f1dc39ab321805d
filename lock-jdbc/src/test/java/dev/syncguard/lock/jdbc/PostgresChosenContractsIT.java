package dev.syncguard.lock.jdbc;

/** The server that somebody asked for, usually the one of the system's packages. */
class PostgresChosenContractsIT extends PostgresContracts {

  PostgresChosenContractsIT() {
    super(PostgresBinaries.chosen());
  }
}
