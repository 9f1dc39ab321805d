package dev.syncguard.firestore.server.operation;

import com.google.firestore.v1.RunQueryResponse;
import com.google.protobuf.ByteString;
import com.google.protobuf.Timestamp;
import dev.syncguard.firestore.server.query.Query;
import dev.syncguard.firestore.server.query.QueryRun;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.Consumer;

/**
 * What a query is answered with: the transaction it has begun, how many documents the offset left out, and a message for each
 * result. There is at least one message with the read time, and the last says that it is the last. Not thread-safe.
 */
final class QueryMessages implements Iterator<RunQueryResponse> {
  private enum Stage {
    TRANSACTION,
    SKIPPED,
    RESULTS,
    OVER
  }

  private final Query query;
  private final QueryRun results;
  private final ByteString transaction;
  private final Timestamp readTime;
  private final Consumer<RunQueryResponse.Builder> last;
  private Stage stage = Stage.TRANSACTION;

  /**
   * @param transaction that was begun, or empty
   * @param last adds to the last message
   */
  QueryMessages(
      Query query,
      QueryRun results,
      ByteString transaction,
      Timestamp readTime,
      Consumer<RunQueryResponse.Builder> last) {
    this.query = query;
    this.results = results;
    this.transaction = transaction;
    this.readTime = readTime;
    this.last = last;
  }

  @Override
  public boolean hasNext() {
    return stage != Stage.OVER;
  }

  @Override
  public RunQueryResponse next() {
    if (stage == Stage.OVER) {
      throw new NoSuchElementException();
    }
    if (stage == Stage.TRANSACTION) {
      stage = Stage.SKIPPED;
      if (!transaction.isEmpty()) {
        return RunQueryResponse.newBuilder().setTransaction(transaction).build();
      }
    }
    RunQueryResponse.Builder message = RunQueryResponse.newBuilder().setReadTime(readTime);
    if (stage == Stage.SKIPPED) {
      stage = Stage.RESULTS;
      boolean some = results.hasNext(); // asked first: it skips
      message.setSkippedResults(results.skipped());
      if (some && results.skipped() > 0) {
        return message.build();
      }
    }
    if (results.hasNext()) {
      message.setDocument(query.project(results.next()));
    }
    if (!results.hasNext()) {
      stage = Stage.OVER;
      last.accept(message.setDone(true));
    }
    return message.build();
  }
}
