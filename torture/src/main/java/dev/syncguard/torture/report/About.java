package dev.syncguard.torture.report;

/**
 * What a report says besides the findings.
 *
 * @param store what kind of store it was; not its address, which may hold a password
 * @param when the date of the run
 * @param replay the command that runs the same faults again
 * @param remains what is left in the store
 */
public record About(String store, String when, String replay, String remains) {}
