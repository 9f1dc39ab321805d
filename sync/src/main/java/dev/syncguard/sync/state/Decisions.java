package dev.syncguard.sync.state;

import dev.syncguard.sync.text.Iso;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The small choices on which the safety of sync rests, each a function of nothing but its arguments.
 *
 * <p>They stand together so that they can be read, and doubted, in one sitting. The simulation replaces them one at a time
 * by plausible mistakes and must notice every one.
 */
public final class Decisions {

  private Decisions() {}

  /** Returns whether one side of a merge may contribute: only if it has seen the last clearing. */
  static boolean survives(int epoch, int effectiveEpoch) {
    return epoch >= effectiveEpoch;
  }

  /** Returns what was read on either side, which is {@code remote} itself if nothing has to be added. */
  static Set<String> unite(Set<String> local, Set<String> remote) {
    Set<String> both = remote;
    for (String id : local) {
      if (!remote.contains(id)) {
        both = both == remote ? new LinkedHashSet<>(remote) : both;
        both.add(id);
      }
    }
    return both;
  }

  /** Returns which of two dates to load from stays. Both are normal; either may be empty. */
  static String chooseLoadFrom(String local, String remote) {
    if (local.equals(Limits.LOAD_RECENT) || remote.equals(Limits.LOAD_RECENT)) {
      return Limits.LOAD_RECENT;
    }
    if (local.isEmpty() || remote.isEmpty()) {
      return remote.isEmpty() ? local : remote;
    }
    return Iso.micros(local) > Iso.micros(remote) ? local : remote;
  }

  /** Returns whether the preference of this device replaces the remote one. */
  static boolean ownPreferenceWins(String author, Set<String> changedAuthors) {
    return changedAuthors.contains(author);
  }

  /** Returns the epoch of a device that hears of a clearing, perhaps late: it never goes back. */
  public static int furthest(int known, int heard) {
    return Math.max(known, heard);
  }

  /** Returns the epoch that a new reset must write, so that everything before it is out everywhere. */
  public static int resetEpoch(int local, int remote) {
    return Limits.next(Math.max(local, remote));
  }

  /** Returns the epoch that the repetition of an unfinished reset must write. Repeating it again changes nothing. */
  public static int replayEpoch(int target, int remote) {
    return Math.max(target, remote);
  }

  /**
   * Returns whether a reset whose targets were chosen with the remote in view has already come about: then somebody has
   * cleared at least that far, and what is there now was made afterwards.
   */
  public static boolean resetStands(boolean targetsSawRemote, int target, int remote) {
    return targetsSawRemote && remote >= target;
  }

  /** The most clearings that a device can plausibly have missed: one an hour for eleven years. */
  private static final int MOST_MISSED = 100_000;

  /**
   * Returns whether a remote epoch can be true. One far beyond what this device knows was forged: believed, it would use
   * up all epochs, and no reset could ever go beyond it.
   */
  public static boolean isPlausible(int local, int remote) {
    return remote - local <= MOST_MISSED;
  }

  /** Returns whether a confirmed write covers all changes of a field: only if none was made after it was built. */
  public static boolean confirms(int capturedChanges, int currentChanges) {
    return capturedChanges == currentChanges;
  }

  /** Returns whether work of one reader may change the state of a device: only if it is still theirs. */
  public static boolean sameReader(Owner began, Owner stored) {
    return began.mayWriteTo(stored);
  }

  /** Returns whether no reset has begun or ended on the device since some work began. */
  public static boolean sameReset(String id, boolean pending, SyncMeta stored) {
    return id.equals(stored.resetId()) && pending == (stored.pendingReset() != null);
  }

  /** Returns whether an answer may still have an effect: not if a reset or a switch came in between. */
  public static boolean stillCurrent(int startedUnder, int now) {
    return startedUnder == now;
  }
}
