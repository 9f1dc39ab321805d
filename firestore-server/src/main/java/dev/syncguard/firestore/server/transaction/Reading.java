package dev.syncguard.firestore.server.transaction;

import com.google.protobuf.ByteString;
import com.google.rpc.Code;
import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.name.DocumentName;
import dev.syncguard.firestore.server.store.Database;
import dev.syncguard.firestore.server.store.Snapshot;
import java.util.Collection;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** At what time a request reads, and for which transaction. */
public final class Reading {
  private final @Nullable Transaction transaction;
  private final OptionalLong micros;
  private final ByteString newTransaction;
  private final Runnable end;

  private Reading(OptionalLong micros) {
    this.transaction = null;
    this.micros = micros;
    this.newTransaction = ByteString.EMPTY;
    this.end = () -> {};
  }

  /** @param end ends the transaction when it cannot get a lock */
  Reading(Transaction transaction, ByteString newTransaction, Runnable end) {
    this.transaction = transaction;
    this.micros = transaction.readTime();
    this.newTransaction = newTransaction;
    this.end = end;
  }

  /** Returns a read of the present that belongs to no transaction. */
  public static Reading latest() {
    return new Reading(OptionalLong.empty());
  }

  /** Returns a read of the past that belongs to no transaction. */
  public static Reading at(long micros) {
    return new Reading(OptionalLong.of(micros));
  }

  /** Returns the time to read at, or nothing for the present. */
  public OptionalLong micros() {
    return micros;
  }

  /**
   * Reads. If that fails, a transaction that this read has begun is over: nobody would learn its id to end it. So is one
   * that wanted to read what it may not: it must not keep others from writing that.
   */
  public <T> T in(Database database, Function<Snapshot, T> reader) {
    try {
      return database.read(micros, reader);
    } catch (RuntimeException e) {
      if (!newTransaction.isEmpty() || isDenial(e)) {
        end.run();
      }
      throw e;
    }
  }

  private static boolean isDenial(RuntimeException failure) {
    return failure instanceof FirestoreServerException known
        && known.code() == Code.PERMISSION_DENIED;
  }

  /** Returns the id of the transaction that this read began, or an empty one. */
  public ByteString newTransaction() {
    return newTransaction;
  }

  /** Must be called before documents are read; it may wait for writers. */
  public void willRead(Collection<DocumentName> documents) {
    lock(held -> held.willRead(documents));
  }

  /** Must be called before collections are queried; it may wait for writers. An empty id stands for all of them. */
  public void willQuery(String collectionId) {
    lock(held -> held.willQuery(collectionId));
  }

  private void lock(Consumer<Transaction> claim) {
    if (transaction == null) {
      return;
    }
    try {
      claim.accept(transaction);
    } catch (FirestoreServerException e) {
      end.run();
      throw e;
    }
  }
}
