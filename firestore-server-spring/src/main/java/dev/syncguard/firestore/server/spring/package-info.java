/** An embedded Firestore for tests of Spring applications. */
@NullMarked
package dev.syncguard.firestore.server.spring;

import org.jspecify.annotations.NullMarked;
