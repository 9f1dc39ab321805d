/** How long the command line takes to start. */
@org.jspecify.annotations.NullMarked
package dev.syncguard.benchmarks.startup;
