package dev.syncguard.firestore.server.operation;

import com.google.rpc.Code;
import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.name.DatabaseName;
import dev.syncguard.firestore.server.store.Database;
import dev.syncguard.firestore.server.transaction.Transactions;
import dev.syncguard.firestore.server.write.SizeLimits;
import dev.syncguard.firestore.server.write.WritePlanner;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/** All databases of the server, which spring into being when they are first named. Thread-safe. */
public final class Databases {
  private static final int MAX_DATABASES = 1000;

  /** A database with its transactions and the sizes that it accepts. */
  public record Served(Database database, Transactions transactions, SizeLimits limits) {
    /** Creates one that accepts documents of the usual sizes. */
    public Served(Database database, Transactions transactions) {
      this(database, transactions, SizeLimits.STANDARD);
    }

    /** Returns what checks writes to the database. */
    public WritePlanner planner() {
      return new WritePlanner(database.name(), limits);
    }
  }

  private final Map<DatabaseName, Served> databases = new ConcurrentHashMap<>();
  private final Function<DatabaseName, Served> opener;
  private final Predicate<DatabaseName> unneeded;
  private final Consumer<DatabaseName> closer;

  /** Creates databases that are opened when they are first asked for. */
  public Databases(Function<DatabaseName, Served> opener) {
    this(opener, name -> true, name -> {});
  }

  /**
   * Creates databases that may be closed while they are empty.
   *
   * @param unneeded whether nobody else needs a database that is empty; asked once nothing new can happen in it
   * @param closer is told of every database that was closed because it was empty
   */
  public Databases(
      Function<DatabaseName, Served> opener,
      Predicate<DatabaseName> unneeded,
      Consumer<DatabaseName> closer) {
    this.opener = opener;
    this.unneeded = unneeded;
    this.closer = closer;
  }

  /** Returns the database of that name. */
  public Served get(DatabaseName name) {
    Served known = databases.get(name);
    return known != null ? known : create(name);
  }

  /** Returns the database of that name if it is open and all in memory, so that nobody waits for it to be read. */
  Optional<Served> prompt(DatabaseName name) {
    return Optional.ofNullable(databases.get(name))
        .filter(known -> known.database().isInMemory());
  }

  private synchronized Served create(DatabaseName name) {
    if (!databases.containsKey(name) && databases.size() >= MAX_DATABASES && !evictEmpty()) {
      throw new FirestoreServerException(
          Code.RESOURCE_EXHAUSTED,
          "Too many databases: all " + MAX_DATABASES + " hold documents or are in use.");
    }
    return databases.computeIfAbsent(name, opener);
  }

  /** Closes all databases that hold nothing and that nobody uses, and returns whether there was one. */
  private boolean evictEmpty() {
    return databases.entrySet().removeIf(entry -> {
      Served served = entry.getValue();
      boolean evicted = served
          .database()
          .closeIfEmpty(() -> served.transactions().isIdle() && unneeded.test(entry.getKey()));
      if (evicted) {
        closer.accept(entry.getKey());
      }
      return evicted;
    });
  }

  /** Returns all databases that were named so far. */
  public Collection<Served> all() {
    return databases.values();
  }
}
