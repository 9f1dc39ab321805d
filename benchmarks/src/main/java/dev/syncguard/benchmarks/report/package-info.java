/** How findings are told: targets, tables and a chart. */
@org.jspecify.annotations.NullMarked
package dev.syncguard.benchmarks.report;
