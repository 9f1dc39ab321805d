/** Firestore's gRPC service. */
@NullMarked
package dev.syncguard.firestore.server.grpc;

import org.jspecify.annotations.NullMarked;
