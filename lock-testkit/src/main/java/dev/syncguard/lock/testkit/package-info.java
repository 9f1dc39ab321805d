/**
 * What every lock backend promises, as tests that a backend's own tests only have to extend.
 *
 * <p>A backend called {@code sqlite} has one class {@code SqliteContractsTest} (or {@code SqliteContractsIT}, if it needs
 * a server). It says how to open a backend over an empty store, and runs all that every backend must keep. What only
 * some promise is one line each:
 *
 * <pre>{@code
 * class SqliteContractsTest extends BackendContracts {
 *   @Override public LockFixture newFixture() { return new SqliteFixture(); }
 *
 *   @Nested class Durability extends DurabilityContract {}
 *   @Nested class Listing extends ListingContract {}
 *   // ... BackendContracts fails and names the contract if one is missing for what the backend offers
 * }
 * }</pre>
 *
 * <p>The name is a convention on which {@code verify} counts: it starts with the name from
 * {@code Capabilities.backend()} and goes on with {@code Contracts}. So the report of {@code SqliteContractsTest} holds
 * what was checked on that backend, one nested class for each contract.
 */
@NullMarked
package dev.syncguard.lock.testkit;

import org.jspecify.annotations.NullMarked;
