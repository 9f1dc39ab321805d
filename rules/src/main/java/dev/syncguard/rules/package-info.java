/** Firestore's security rules: compiled from their source, they decide who may do what. */
@NullMarked
package dev.syncguard.rules;

import org.jspecify.annotations.NullMarked;
