package dev.syncguard.firestore.server.operation;

import dev.syncguard.firestore.server.auth.Authorizer;
import dev.syncguard.firestore.server.query.IndexCheck;
import java.util.random.RandomGenerator;

/** All that the server can do, whatever the protocol it is asked in. Thread-safe. */
public record Operations(
    Databases databases,
    Gatekeeper gatekeeper,
    DocumentReads reads,
    DocumentLists lists,
    SingleWrites writes,
    Commits commits,
    Queries queries,
    IndexCheck indexes) {

  /**
   * Returns the operations over these databases.
   *
   * @param indexes refuses a query that lacks an index
   * @param random must be safe for many threads
   */
  public static Operations of(
      Databases databases, Authorizer authorizer, IndexCheck indexes, RandomGenerator random) {
    Gatekeeper gatekeeper = new Gatekeeper(authorizer);
    return new Operations(
        databases,
        gatekeeper,
        new DocumentReads(databases, gatekeeper),
        new DocumentLists(databases, gatekeeper, indexes),
        new SingleWrites(databases, gatekeeper, random),
        new Commits(databases, gatekeeper),
        new Queries(databases, gatekeeper, indexes),
        indexes);
  }
}
