package dev.syncguard.firestore.server.operation;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.firestore.v1.BatchWriteRequest;
import com.google.firestore.v1.BatchWriteResponse;
import com.google.firestore.v1.Document;
import com.google.firestore.v1.Precondition;
import com.google.firestore.v1.Write;
import com.google.rpc.Code;
import com.google.rpc.Status;
import dev.syncguard.firestore.server.auth.Authorizer;
import dev.syncguard.firestore.server.auth.BearerTokens;
import dev.syncguard.firestore.server.name.DatabaseName;
import dev.syncguard.firestore.server.operation.Databases.Served;
import dev.syncguard.firestore.server.query.IndexCheck;
import dev.syncguard.firestore.server.store.Commit;
import dev.syncguard.firestore.server.store.Database;
import dev.syncguard.firestore.server.store.IndexPolicy;
import dev.syncguard.firestore.server.store.Journal;
import dev.syncguard.firestore.server.transaction.TransactionSettings;
import dev.syncguard.firestore.server.transaction.Transactions;
import java.time.InstantSource;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The writes of a batch are independent, but they wait for the disk together. */
class BatchWriteTest {
  private static final DatabaseName NAME = new DatabaseName("p", "d");

  /** A disk that makes safe, each time that somebody waits for it, all that came before. */
  private static final class Log implements Journal {
    private long appended;
    private long safe;
    private int flushes;

    @Override
    public Receipt append(Commit commit) {
      long ticket = ++appended;
      return () -> {
        if (safe < ticket) {
          safe = appended;
          flushes++;
        }
      };
    }
  }

  private final Log log = new Log();
  private final Operations operations = Operations.of(
      new Databases(name -> {
        Database database = new Database(
            name,
            log,
            InstantSource.system(),
            IndexPolicy.EVERYTHING,
            Database.HistoryLimits.DEFAULT);
        return new Served(
            database, new Transactions(database, TransactionSettings.DEFAULT, System::nanoTime, 1));
      }),
      Authorizer.open(),
      IndexCheck.NONE,
      new Random(1));

  @Test
  void ofTwentyWritesEachHasItsAnswerAndAllCostOneFlush() {
    BatchWriteRequest.Builder request = BatchWriteRequest.newBuilder().setDatabase(NAME.toString());
    for (int i = 0; i < 20; i++) {
      request.addWrites(Write.newBuilder()
          .setUpdate(Document.newBuilder().setName(NAME.documents() + "/c/d" + i))
          .setCurrentDocument(Precondition.newBuilder().setExists(i == 7)));
    }
    BatchWriteResponse response =
        operations.commits().batchWrite(BearerTokens.parse("Bearer owner"), request.build());
    assertThat(response.getStatusList())
        .extracting(Status::getCode)
        .filteredOn(code -> code != Code.OK_VALUE)
        .containsExactly(Code.NOT_FOUND_VALUE);
    assertThat(response.getStatus(7).getCode()).isEqualTo(Code.NOT_FOUND_VALUE);
    assertThat(log.appended).isEqualTo(19);
    assertThat(log.flushes).isEqualTo(1);
  }
}
