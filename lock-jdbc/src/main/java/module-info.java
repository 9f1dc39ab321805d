/** Locks in an SQLite file that several processes share, or in a PostgreSQL database. */
@org.jspecify.annotations.NullMarked
module dev.syncguard.lock.jdbc {
  requires static org.jspecify;
  requires transitive dev.syncguard.lock;
  requires transitive java.sql;
  requires static org.checkerframework.checker.qual;
  requires static org.postgresql.jdbc;
  requires static org.xerial.sqlitejdbc;

  exports dev.syncguard.lock.jdbc;
}
