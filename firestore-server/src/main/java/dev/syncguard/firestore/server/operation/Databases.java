package dev.syncguard.firestore.server.operation;

import com.google.rpc.Code;
import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.name.DatabaseName;
import dev.syncguard.firestore.server.store.Database;
import dev.syncguard.firestore.server.transaction.Transactions;
import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/** All databases of the server, which spring into being when they are first named. Threads may share it. */
public final class Databases {
  private static final int MAX_DATABASES = 1000;

  /** A database with its transactions. */
  public record Served(Database database, Transactions transactions) {}

  private final Map<DatabaseName, Served> databases = new ConcurrentHashMap<>();
  private final Function<DatabaseName, Served> opener;

  public Databases(Function<DatabaseName, Served> opener) {
    this.opener = opener;
  }

  /** Returns the database of that name. */
  public Served get(DatabaseName name) {
    Served known = databases.get(name);
    if (known != null) {
      return known;
    }
    if (databases.size() >= MAX_DATABASES) {
      throw new FirestoreServerException(Code.RESOURCE_EXHAUSTED, "Too many databases.");
    }
    return databases.computeIfAbsent(name, opener);
  }

  /** Returns all databases that were named so far. */
  public Collection<Served> all() {
    return databases.values();
  }
}
