/** Locks in an SQLite file that several processes share. */
@org.jspecify.annotations.NullMarked
module dev.syncguard.lock.jdbc {
  requires static org.jspecify;
  requires transitive dev.syncguard.lock;
  requires java.sql;
  requires org.xerial.sqlitejdbc;

  exports dev.syncguard.lock.jdbc;
}
