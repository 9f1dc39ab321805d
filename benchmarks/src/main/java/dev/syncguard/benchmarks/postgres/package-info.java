/** Locks in PostgreSQL beside the libraries that people use there, and beside what the server itself can do. */
@org.jspecify.annotations.NullMarked
package dev.syncguard.benchmarks.postgres;
