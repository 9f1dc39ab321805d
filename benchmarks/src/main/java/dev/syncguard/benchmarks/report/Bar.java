package dev.syncguard.benchmarks.report;

import dev.syncguard.benchmarks.measure.Quartiles;

/**
 * One bar of a chart.
 *
 * @param ours whether it shows SyncGuard, and is painted so
 */
public record Bar(String label, Quartiles value, boolean ours) {}
