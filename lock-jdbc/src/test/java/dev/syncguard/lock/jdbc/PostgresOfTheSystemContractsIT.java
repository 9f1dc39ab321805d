package dev.syncguard.lock.jdbc;

/** The server of the system's packages. */
class PostgresOfTheSystemContractsIT extends PostgresContracts {

  PostgresOfTheSystemContractsIT() {
    super(PostgresBinaries.SYSTEM);
  }
}
