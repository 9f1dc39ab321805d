/** The benchmarks: what is measured, and the command that does it. */
@org.jspecify.annotations.NullMarked
package dev.syncguard.benchmarks;
