package dev.syncguard.console;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Counts durations in classes that double, from one millisecond to more than an hour. Not thread-safe. */
final class Histogram {

  private static final int CLASSES = 24;

  private final long[] counts = new long[CLASSES];
  private long total;

  void add(long millis) {
    int index = 64 - Long.numberOfLeadingZeros(Math.max(0, millis));
    counts[Math.min(index, CLASSES - 1)]++;
    total++;
  }

  /** Returns the counts between the first and the last class that is not empty; {@code below} ends each, exclusively. */
  ObjectNode json() {
    ObjectNode node = JsonNodeFactory.instance.objectNode().put("total", total);
    ArrayNode classes = node.putArray("classes");
    int first = 0;
    int last = CLASSES - 1;
    while (first < CLASSES && counts[first] == 0) {
      first++;
    }
    while (last >= first && counts[last] == 0) {
      last--;
    }
    for (int i = first; i <= last; i++) {
      classes.addObject().put("below", 1L << i).put("count", counts[i]);
    }
    node.put("median", quantile(0.5)).put("p95", quantile(0.95)).put("p99", quantile(0.99));
    return node;
  }

  /** Returns the end of the class that holds this part of all. */
  private long quantile(double part) {
    long rest = (long) Math.ceil(total * part);
    for (int i = 0; i < CLASSES; i++) {
      rest -= counts[i];
      if (rest <= 0) {
        return 1L << i;
      }
    }
    return 1L << (CLASSES - 1);
  }
}
