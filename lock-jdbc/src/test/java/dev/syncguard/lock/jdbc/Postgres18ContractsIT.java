package dev.syncguard.lock.jdbc;

/** The newest server that we support. */
class Postgres18ContractsIT extends PostgresContracts {

  Postgres18ContractsIT() {
    super(PostgresBinaries.V18);
  }
}
