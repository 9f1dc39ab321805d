package dev.syncguard.lock.firestore;

import com.google.cloud.firestore.CollectionReference;
import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.Query;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.spi.StorageKeys;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * Where everything lies: one document per lock in one collection, one per fence in another.
 *
 * <p>A key that Firestore does not take as the name of a document is stored under its hash; all others are named as in
 * every SyncGuard library.
 */
final class LockDocuments {

  static final String DEFAULT_LOCKS = "locks";
  static final String DEFAULT_FENCES = "fence_counters";

  private static final int LONGEST_NAME_BYTES = 1500;
  private static final Pattern RESERVED = Pattern.compile("__.*__", Pattern.DOTALL);

  private final StorageKeys names = new StorageKeys("", LONGEST_NAME_BYTES, 0);
  private final CollectionReference locks;
  private final CollectionReference fences;

  LockDocuments(Firestore firestore, String locks, String fences) {
    requireDistinct(locks, fences);
    this.locks = firestore.collection(locks);
    this.fences = firestore.collection(fences);
  }

  /** Turns away names under which removing dead locks could reach the fences. */
  static void requireDistinct(String locks, String fences) {
    // Firestore would tell them apart by case; a person who reads a rule or an export may not.
    if (requireName(locks).equalsIgnoreCase(requireName(fences))) {
      throw LockException.invalidArgument(
          "Locks and fence counters need two collections: locks are deleted, fence counters never");
    }
  }

  /** Returns a name of a collection, or throws {@code InvalidArgument}. */
  static String requireName(String name) {
    if (name.isEmpty()) {
      throw LockException.invalidArgument("The name of a collection must not be empty");
    }
    if (!isName(name) || name.indexOf('\0') >= 0) {
      throw LockException.invalidArgument(
          "The name of a collection must have at most " + LONGEST_NAME_BYTES
              + " bytes, no slash, and must be neither . nor .. nor __like this__");
    }
    return name;
  }

  private static boolean isName(String name) {
    return name.indexOf('/') < 0
        && !name.equals(".")
        && !name.equals("..")
        && !RESERVED.matcher(name).matches()
        && name.getBytes(StandardCharsets.UTF_8).length <= LONGEST_NAME_BYTES;
  }

  DocumentReference lock(LockKey key) {
    return locks.document(lockName(key));
  }

  DocumentReference fence(LockKey key) {
    return fences.document(names.fence(lockName(key)));
  }

  private String lockName(LockKey key) {
    return isName(key.value()) ? names.lock(key) : names.hashedLock(key);
  }

  /** Returns the question for all locks with this id. Without a limit, so that a second one would be seen. */
  Query locksWithId(LockId id) {
    return locks.whereEqualTo(LockRecord.LOCK_ID, id.value());
  }

  CollectionReference locks() {
    return locks;
  }

  CollectionReference fences() {
    return fences;
  }
}
