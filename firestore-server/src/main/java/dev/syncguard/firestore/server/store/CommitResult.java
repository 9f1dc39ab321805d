package dev.syncguard.firestore.server.store;

import com.google.firestore.v1.WriteResult;
import java.util.List;

/** When a commit happened and what became of each of its writes. */
public record CommitResult(long micros, List<WriteResult> results) {
  public CommitResult {
    results = List.copyOf(results);
  }
}
