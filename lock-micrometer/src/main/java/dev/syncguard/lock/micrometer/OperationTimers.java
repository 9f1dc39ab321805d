package dev.syncguard.lock.micrometer;

import dev.syncguard.lock.telemetry.LockEvent;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

/** The timers of the operations at one store. Thread-safe. */
final class OperationTimers {

  private final MeterRegistry registry;
  private final String backend;

  OperationTimers(MeterRegistry registry, String backend) {
    this.registry = registry;
    this.backend = backend;
  }

  void record(LockEvent event) {
    Timer.builder("syncguard.lock.operations")
        .description("Operations at the store")
        .tag("backend", backend)
        .tag("operation", RequestMeters.word(event.type()))
        .tag("outcome", outcome(event))
        .tag("error", event.error().map(RequestMeters::word).orElse("none"))
        .serviceLevelObjectives(Buckets.OPERATION)
        .register(registry)
        .record(event.duration());
  }

  /** A no is an answer, and an everyday one. */
  private static String outcome(LockEvent event) {
    if (event.error().isPresent()) {
      return "error";
    }
    return event.outcome() == LockEvent.Outcome.OK ? "yes" : "no";
  }
}
