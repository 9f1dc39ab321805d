package dev.syncguard.lock.jdbc;

/** The oldest server that we support. */
class Postgres13ContractsIT extends PostgresContracts {

  Postgres13ContractsIT() {
    super(PostgresBinaries.V13);
  }
}
