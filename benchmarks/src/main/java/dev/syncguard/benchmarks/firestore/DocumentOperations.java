package dev.syncguard.benchmarks.firestore;

import com.google.cloud.firestore.DocumentReference;
import com.google.cloud.firestore.Firestore;
import dev.syncguard.benchmarks.measure.Participant;
import java.util.Map;

/** Writes or reads of single documents through Google's client; each thread has a document of its own. */
record DocumentOperations(String name, Firestore client, boolean writes, AutoCloseable server)
    implements Participant {

  @Override
  public Worker worker(int thread) {
    DocumentReference document = client.document("documents/" + thread);
    if (!writes) {
      set(document, 0);
      return () -> {
        if (!document.get().get().exists()) {
          throw new IllegalStateException("A document that was written is not there");
        }
      };
    }
    long[] next = {0};
    return () -> set(document, next[0]++);
  }

  private static void set(DocumentReference document, long value) {
    try {
      document.set(Map.of("n", value)).get();
    } catch (Exception e) {
      throw new IllegalStateException("A write failed", e);
    }
  }

  @Override
  public void close() {
    Clients.close(client);
    try {
      server.close();
    } catch (Exception e) {
      throw new IllegalStateException("A server could not be closed", e);
    }
  }
}
