/** What the server can do, whatever protocol it is asked in. */
@NullMarked
package dev.syncguard.firestore.server.operation;

import org.jspecify.annotations.NullMarked;
