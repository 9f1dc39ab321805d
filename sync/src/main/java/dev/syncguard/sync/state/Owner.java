package dev.syncguard.sync.state;

import org.jspecify.annotations.Nullable;

/**
 * Whose state a device holds.
 *
 * @param userId the forum's id of that person, or null while nobody has logged in yet
 * @param handovers how often the device has passed from one person to another
 */
public record Owner(@Nullable String userId, int handovers) {

  static final Owner NOBODY = new Owner(null, 0);

  /** Returns the owner after {@code next} has logged in. The first person takes over what nobody owned. */
  public Owner then(String next) {
    return new Owner(next, userId == null || userId.equals(next) ? handovers : handovers + 1);
  }

  /** Returns whether whoever began under this owner may still write to a device that is {@code stored}'s by now. */
  boolean mayWriteTo(Owner stored) {
    if (stored.userId == null) {
      // Nobody's yet, or the meta was lost under way and nobody else has claimed the state since.
      return true;
    }
    return handovers == stored.handovers && (userId == null || userId.equals(stored.userId));
  }

  @Override
  public String toString() {
    return "Owner";
  }
}
