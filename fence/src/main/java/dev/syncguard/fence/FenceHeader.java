package dev.syncguard.fence;

import dev.syncguard.lock.Fence;
import dev.syncguard.lock.LockException;
import java.util.Optional;

/** How a fence travels over HTTP. */
public final class FenceHeader {

  /** The header of requests that carries the fence; a refusal repeats it, so that clients know whose refusal it is. */
  public static final String NAME = "Fence";

  /**
   * The answer to a fence that is too old, 412 Precondition Failed: the header is a condition that the request came with, and
   * repeating the request cannot mend it. 409 would invite to do just that.
   */
  public static final int STALE = 412;

  private FenceHeader() {}

  /** Returns the fence that a header spells, or nothing if it is not one. */
  public static Optional<Fence> parse(String text) {
    try {
      return Optional.of(Fence.parse(text.strip()));
    } catch (LockException e) {
      return Optional.empty();
    }
  }
}
