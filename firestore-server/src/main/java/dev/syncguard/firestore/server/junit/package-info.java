/** A JUnit extension that gives tests a Firestore of their own. */
@NullMarked
package dev.syncguard.firestore.server.junit;

import org.jspecify.annotations.NullMarked;
