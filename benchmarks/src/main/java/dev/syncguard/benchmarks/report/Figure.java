package dev.syncguard.benchmarks.report;

/** A part of a chart. */
public sealed interface Figure permits Panel, Growth {

  String title();
}
