package dev.syncguard.firestore.server.query;

import dev.syncguard.firestore.server.store.Scan;
import java.util.function.Supplier;

/**
 * One way to reach all documents that may match.
 *
 * @param ordered whether the documents come in the order of the results
 */
record AccessPath(Supplier<Scan> scan, boolean ordered) {}
