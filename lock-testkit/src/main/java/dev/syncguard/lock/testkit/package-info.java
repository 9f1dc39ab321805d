/**
 * What every lock backend promises, as tests that a backend's own tests only have to nest.
 *
 * <p>A backend called {@code sqlite} has one class {@code SqliteContractsTest} (or {@code SqliteContractsIT}, if it needs
 * a server) that says how to open it and nests one line per contract:
 *
 * <pre>{@code
 * class SqliteContractsTest extends BackendContracts {
 *   @Override public LockFixture newFixture() { return new SqliteFixture(); }
 *
 *   @Nested class Lifecycle extends LifecycleContract {}
 *   @Nested class Contention extends ContentionContract {}
 *   // ... {@code BackendContracts} fails and names the contract if one is missing
 * }
 * }</pre>
 *
 * <p>The names are a convention on which {@code verify} counts: the class name starts with the name from
 * {@code Capabilities.backend()} and continues with {@code Contracts}. So the tests of contract {@code C} on backend
 * {@code B} are the test cases whose class name ends in <code>BContractsTest$C</code> or <code>BContractsIT$C</code>, in
 * the report of the outer class.
 */
@NullMarked
package dev.syncguard.lock.testkit;

import org.jspecify.annotations.NullMarked;
