/** What security rules cost. */
@org.jspecify.annotations.NullMarked
package dev.syncguard.benchmarks.rules;
