/** Those who are measured on an SQLite file. */
@org.jspecify.annotations.NullMarked
package dev.syncguard.benchmarks.sqlite;
