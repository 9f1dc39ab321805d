/** The embedded Firestore: how fast it starts and answers, and what a document weighs. */
@org.jspecify.annotations.NullMarked
package dev.syncguard.benchmarks.firestore;
