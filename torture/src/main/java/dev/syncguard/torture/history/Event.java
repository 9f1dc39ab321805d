package dev.syncguard.torture.history;

/**
 * Something that a worker saw or that was done to it.
 *
 * <p>Times are nanoseconds on the monotonic clock of the machine, which all its processes share. Where a call to the store is
 * told, {@code sent} is from before it and {@code at} from after it: the store acted somewhere in between. A worker numbers its
 * attempts to get a lock; worker and attempt together name a lease.
 */
public sealed interface Event {

  /** Returns when it was certain. */
  long at();

  /** Something that a worker tells about an attempt to get a lock, or about the lease that came of it. */
  sealed interface OfWorker extends Event {
    /** Returns the number of the worker. */
    int worker();

    /** Returns the key that it is about. */
    String key();

    /** Returns the number that the worker gave to the attempt; both together name a lease. */
    long attempt();
  }

  /** An attempt begins. One that waits stays with the store until it is granted or refused. */
  record Asked(int worker, String key, long attempt, long at, boolean waits) implements OfWorker {}

  /** The attempt was granted, with this fence. */
  record Granted(int worker, String key, long attempt, long sent, long at, long fence)
      implements OfWorker {}

  /** The attempt ended without a lease: {@code held} if somebody else has the key, or the name of an error. */
  record Refused(int worker, String key, long attempt, long sent, long at, String why)
      implements OfWorker {

    /** The answer to somebody who did not want to wait. */
    public static final String HELD = "held";
  }

  /** The lease said at {@code at} that nobody else can get the key before {@code until}. */
  record Promised(int worker, String key, long attempt, long at, long until) implements OfWorker {}

  /** The holder begins to release. From here on others may get the key. */
  record Releasing(int worker, String key, long attempt, long at) implements OfWorker {}

  /** The release was answered. */
  record Released(int worker, String key, long attempt, long sent, long at, Ending ending)
      implements OfWorker {}

  /** The holder turns away from a lease that nobody renews, without a release. */
  record Abandoned(int worker, String key, long attempt, long at) implements OfWorker {}

  /** An operation with the id of a lease that had ended before was answered. */
  record Strayed(
      int worker, String key, long attempt, long sent, long at, String operation, boolean worked)
      implements OfWorker {}

  /** Somebody looked at the key: 0 says that it is free, {@link #SOMEBODY} that it is held, everything else is a fence. */
  record Looked(int worker, String key, long attempt, long sent, long at, long fence)
      implements OfWorker {

    /** It is held, but the question was not by whom. */
    public static final long SOMEBODY = -1;
  }

  /** The resource that the lock protects was written to, or has refused a late holder. */
  record Wrote(int worker, String key, long attempt, long at, long fence, boolean accepted)
      implements OfWorker {}

  /** Something was done to one worker, or to the store if {@code worker} is {@link #STORE}. */
  record Hurt(String fault, int worker, long at, long until) implements Event {

    /** Stands for the store itself, so that everybody was hurt. */
    public static final int STORE = -1;

    /** The worker is gone, and what it held ends with its ttl. */
    public static final String KILL = "kill";

    /** A request of the worker arrives after it was sent once more. */
    public static final String LATE = "late-requests";
  }

  /** How a release ended. */
  enum Ending {
    /** The store had the lease and ended it. */
    ENDED,
    /** The store did not have it any more. */
    ABSENT,
    /** There was no answer. */
    UNKNOWN
  }
}
