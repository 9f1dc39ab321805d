package dev.syncguard.cli;

import dev.syncguard.lock.LockException;
import dev.syncguard.lock.spi.LockBackend;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The stores that the command line can open. A new one is one file and one entry here. */
final class Stores {

  private static final List<Store> ALL =
      List.of(new SqliteStore(), new RedisStore(), new PostgresStore(), new FirestoreStore());

  private Stores() {}

  /** A kind of store, known by how its address begins. */
  interface Store {
    /** Returns the beginning of its addresses, such as {@code sqlite:}. */
    String prefix();

    /** Returns an example of a whole address. */
    String example();

    /** Opens the store at an address that begins with the prefix. */
    LockBackend open(String address, Purpose purpose);
  }

  /** What somebody wants to do with a store. */
  enum Purpose {
    /** Look at what is there, and create nothing. */
    LOOK,
    /** Take locks; what is missing is created. */
    WRITE
  }

  /** Returns whether the locks are in a file if no store is given. */
  static boolean isSqlite(Surroundings surroundings) {
    String variable = surroundings.variable("SYNCGUARD_STORE");
    return variable.isEmpty() || variable.startsWith("sqlite:");
  }

  /** Opens the given store, or else the one in {@code SYNCGUARD_STORE}, or else the user's own file. */
  static LockBackend open(@Nullable String given, Surroundings surroundings, Purpose purpose) {
    String variable = surroundings.variable("SYNCGUARD_STORE");
    if (given == null && variable.isEmpty()) {
      return SqliteStore.openDefault(surroundings, purpose);
    }
    String address = given == null ? variable : given;
    for (Store store : ALL) {
      if (address.startsWith(store.prefix())) {
        return store.open(address, purpose);
      }
    }
    // The address is not repeated in the message: it may contain a password.
    throw LockException.invalidArgument((given == null ? "SYNCGUARD_STORE" : "--store")
        + " names a store that is not supported; use "
        + String.join(" or ", ALL.stream().map(Store::example).toList()));
  }
}
