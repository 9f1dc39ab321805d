package dev.syncguard.benchmarks.handoff;

/** How one contender fared in a contest: how often it got the lock, and how long it had to wait for it at most. */
record Showing(long grants, long longestWaitNanos) {

  static Showing parse(String text) {
    String[] parts = text.split(" ", -1);
    return new Showing(Long.parseLong(parts[0]), Long.parseLong(parts[1]));
  }

  @Override
  public String toString() {
    return grants + " " + longestWaitNanos;
  }
}
