package dev.syncguard.lock.springboot.autoconfigure;

/** The stores that {@code syncguard.store} can name. */
public enum Store {
  /** The application's {@code DataSource}, which is a PostgreSQL database. */
  POSTGRES("syncguard-lock-jdbc"),
  /** A file beside the application's SQLite database, or {@code syncguard.sqlite.file}. */
  SQLITE("syncguard-lock-jdbc"),
  /** The Redis of Spring's connection details, or {@code syncguard.redis.url}. */
  REDIS("syncguard-lock-redis"),
  /** The application's {@code Firestore} bean. */
  FIRESTORE("syncguard-lock-firestore"),
  /** The memory of this process: for tests. Taken only if asked for. */
  MEMORY("syncguard-lock");

  private final String artifact;

  Store(String artifact) {
    this.artifact = artifact;
  }

  /** Returns the artifact that has the backend for it. */
  public String artifact() {
    return artifact;
  }
}
