package dev.syncguard.firestore.server.query;

import com.google.firestore.v1.Document;
import java.util.Iterator;
import java.util.function.Supplier;

/**
 * One way to reach all documents that may match.
 *
 * @param ordered whether the documents come in the order of the results
 */
record AccessPath(Supplier<Iterator<Document>> scan, boolean ordered) {}
