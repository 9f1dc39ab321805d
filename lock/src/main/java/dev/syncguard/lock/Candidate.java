package dev.syncguard.lock;

/**
 * Who wants to be leader: begins the leader's work when elected, and stops it when told so.
 *
 * <p>The two are called in turn and never at the same time, on threads of the background, under no lock of ours. What they
 * throw is logged; a candidate that throws when it is elected steps down again.
 */
public interface Candidate {

  /**
   * Called when this candidate has become leader. It may return at once and leave the work to others, or do it right here as
   * long as {@link Leadership#isLeader()}.
   */
  void elected(Leadership leadership);

  /**
   * Called once for each time that this candidate was elected, after {@link #elected} has returned: return as soon as nothing
   * is done as leader any more. The key is given to the next one then, or when the lease is over.
   */
  void revoked(Leadership leadership);
}
