package dev.syncguard.firestore.server.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.firestore.v1.Document;
import com.google.firestore.v1.TransactionOptions;
import com.google.firestore.v1.Write;
import com.google.protobuf.ByteString;
import com.google.rpc.Code;
import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.name.DatabaseName;
import dev.syncguard.firestore.server.operation.Databases.Served;
import dev.syncguard.firestore.server.store.CommitGate;
import dev.syncguard.firestore.server.store.Database;
import dev.syncguard.firestore.server.store.IndexPolicy;
import dev.syncguard.firestore.server.store.Journal;
import dev.syncguard.firestore.server.store.Observation;
import dev.syncguard.firestore.server.transaction.TransactionSettings;
import dev.syncguard.firestore.server.transaction.Transactions;
import dev.syncguard.firestore.server.write.WritePlanner;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Databases are made when they are named, and an empty one makes room for the next. */
class DatabasesTest {
  private final Databases databases = new Databases(DatabasesTest::open);

  private static Served open(DatabaseName name) {
    Database database = new Database(
        name,
        Journal.NONE,
        InstantSource.system(),
        IndexPolicy.EVERYTHING,
        Database.HistoryLimits.DEFAULT);
    return new Served(
        database, new Transactions(database, TransactionSettings.DEFAULT, System::nanoTime, 1));
  }

  @Test
  void tenThousandEmptyDatabasesCanBeNamedAndThoseWithDocumentsStay() {
    write(databases.get(name(0)), "kept");
    for (int i = 1; i < 10_000; i++) {
      Served served = databases.get(name(i));
      write(served, "gone");
      served.database().clear("", false);
    }
    assertThat(databases.all()).hasSizeLessThanOrEqualTo(1000);
    assertThat(databases.get(name(0)).database().isEmpty()).isFalse();
  }

  @Test
  void oneMoreThanCanBeKeptIsRefusedWhileAllAreInUse() {
    for (int i = 0; i < 998; i++) {
      write(databases.get(name(i)), "kept");
    }
    databases.get(name(998)).transactions().begin(TransactionOptions.getDefaultInstance());
    Observation observed = databases.get(name(999)).database().observe(commit -> {});
    assertThatThrownBy(() -> databases.get(name(1000)))
        .isInstanceOfSatisfying(
            FirestoreServerException.class,
            e -> assertThat(e.code()).isEqualTo(Code.RESOURCE_EXHAUSTED));
    observed.close();
    databases.get(name(1000));
  }

  @Test
  void whoStillHoldsAnEvictedDatabaseIsToldToTryAgainAndLosesNothing() {
    Served early = databases.get(name(0));
    for (int i = 1; i <= 1000; i++) {
      write(databases.get(name(i)), "kept");
    }
    assertThatThrownBy(() -> write(early, "lost"))
        .isInstanceOfSatisfying(
            FirestoreServerException.class, e -> assertThat(e.code()).isEqualTo(Code.UNAVAILABLE));
    assertThatThrownBy(() -> early.transactions().begin(TransactionOptions.getDefaultInstance()))
        .isInstanceOf(FirestoreServerException.class);
    databases.get(name(1)).database().clear("", false);
    write(databases.get(name(0)), "kept");
    assertThat(databases.get(name(0)).database().isEmpty()).isFalse();
  }

  private static DatabaseName name(int number) {
    return new DatabaseName("p", "d" + number);
  }

  private static void write(Served served, String id) {
    DatabaseName name = served.database().name();
    Write write = Write.newBuilder()
        .setUpdate(Document.newBuilder().setName(name.documents() + "/c/" + id))
        .build();
    served
        .transactions()
        .commit(ByteString.EMPTY, new WritePlanner(name).plan(List.of(write)), CommitGate.OPEN);
  }
}
