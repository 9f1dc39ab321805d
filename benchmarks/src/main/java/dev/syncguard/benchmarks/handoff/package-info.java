/** How a contended lock is measured: contenders of one or several processes pass one key around. */
@org.jspecify.annotations.NullMarked
package dev.syncguard.benchmarks.handoff;
