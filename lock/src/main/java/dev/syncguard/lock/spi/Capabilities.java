package dev.syncguard.lock.spi;

/**
 * What a backend can do.
 *
 * @param backend its name, such as {@code sqlite}
 * @param supportsFencing whether every grant carries a fence; so far all do
 * @param timeAuthority whose clock decides when a lease ends
 */
public record Capabilities(String backend, boolean supportsFencing, TimeAuthority timeAuthority) {

  /** Whose clock decides. */
  public enum TimeAuthority {
    /** The store's: the clocks of its clients do not matter. */
    SERVER,
    /** Each client's own: they must agree within {@link Liveness#TIME_TOLERANCE_MS}. */
    CLIENT
  }
}
