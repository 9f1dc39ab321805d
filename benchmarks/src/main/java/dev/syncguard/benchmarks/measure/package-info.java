/** How things are measured side by side: interleaved rounds, ratios inside each round, quartiles. */
@org.jspecify.annotations.NullMarked
package dev.syncguard.benchmarks.measure;
