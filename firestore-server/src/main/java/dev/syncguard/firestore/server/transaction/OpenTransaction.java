package dev.syncguard.firestore.server.transaction;

import java.time.Duration;
import java.util.List;

/**
 * A transaction that is open, as people who debug see it.
 *
 * @param number grows with every transaction of the database
 * @param kind pessimistic, optimistic or read-only
 * @param idle since when nobody has used it
 * @param locks the documents and, after a slash, the collections that it holds still
 * @param waiting whether it waits for somebody else's locks
 */
public record OpenTransaction(
    long number, String kind, Duration age, Duration idle, List<String> locks, boolean waiting) {}
