package dev.syncguard.torture;

import java.time.Duration;

/**
 * One thing to do to a worker.
 *
 * @param after when, counted from the beginning
 * @param kind what
 * @param worker to whom; without a meaning for what the user does to the store
 * @param length for how long, where it has a length
 */
public record Fault(Duration after, FaultKind kind, int worker, Duration length) {}
