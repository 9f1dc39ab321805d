package dev.syncguard.lock.redis;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.Fence;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.LockNote;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.FenceWarning;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Runs the scripts that may grant a key, or make a lease last longer.
 *
 * <p>If replicas are to confirm a grant and too few do so in time, the grant is taken back and refused: a replica that
 * became primary without it could hand out the same fence again. An extension that too few confirm does not count: a
 * primary that is cut off would go on extending what its successor has long granted to somebody else.
 */
final class Grants {

  private static final Long REFUSED = 0L;

  private final RedisServer server;
  private final Releases releases;
  private final Optional<ReplicaAcks> acks;

  /** Takes a lease back. */
  interface Releases {
    Object release(LockId id);
  }

  Grants(RedisServer server, Releases releases, Optional<ReplicaAcks> acks) {
    this.server = server;
    this.releases = releases;
    this.acks = acks;
  }

  /** Returns the reply of the script. */
  Object ask(
      Script script, List<String> keys, List<String> args, LockId id, Cancellation cancellation) {
    if (acks.isEmpty()) {
      return server.run(script, keys, args, cancellation);
    }
    RedisServer.Confirmed answer =
        server.runConfirmed(script, keys, args, acks.get(), cancellation);
    if (isGrant(answer.reply(), id) && answer.replicas() < acks.get().replicas()) {
      throw takeBack(id, answer.replicas());
    }
    return answer.reply();
  }

  /** Returns the reply of the script that extends a lease. */
  Object extend(List<String> keys, List<String> args, Cancellation cancellation) {
    if (acks.isEmpty()) {
      return server.run(Script.EXTEND, keys, args, cancellation);
    }
    RedisServer.Confirmed answer =
        server.runConfirmed(Script.EXTEND, keys, args, acks.get(), cancellation);
    if (answer.reply() instanceof List<?> && answer.replicas() < acks.get().replicas()) {
      throw new LockException(
          LockException.Code.SERVICE_UNAVAILABLE,
          "Only " + answer.replicas() + " of " + acks.get().replicas() + " replicas confirmed the"
              + " extension in time, so it does not count; check the replicas, then try again");
    }
    return answer.reply();
  }

  private LockException takeBack(LockId id, long replicas) {
    LockException refusal = new LockException(
        LockException.Code.SERVICE_UNAVAILABLE,
        "Only " + replicas + " of " + acks.orElseThrow().replicas() + " replicas confirmed the lock"
            + " in time, so it was given back; check the replicas, then try again");
    try {
      releases.release(id);
    } catch (LockException e) {
      refusal.addSuppressed(e);
    }
    return refusal;
  }

  /** Returns the arguments of a script that may grant. The note comes last, and only if there is one. */
  static List<String> arguments(List<String> all, Optional<LockNote> note) {
    List<String> arguments = new ArrayList<>(all);
    note.ifPresent(words -> arguments.add(words.text()));
    return arguments;
  }

  /** Returns whether the reply is a grant. It begins with the id that it is for, as a refusal begins with 0. */
  static boolean isGrant(Object reply, LockId id) {
    Object beginning = reply instanceof List<?> list ? list.get(0) : reply;
    if (id.value().equals(beginning)) {
      return true;
    }
    if (REFUSED.equals(beginning)) {
      return false;
    }
    throw RedisErrors.outOfStep();
  }

  static AcquireResult result(Object reply, LockKey key, LockId id) {
    if (!isGrant(reply, id)) {
      return new AcquireResult.Contended();
    }
    List<?> grant = (List<?>) reply;
    Fence fence = FenceWarning.check(Fence.parse((String) grant.get(1)), key);
    return AcquireResult.Acquired.at((Long) grant.get(3), fence, (Long) grant.get(2));
  }

  static Instant instant(Object millis) {
    return Instant.ofEpochMilli((Long) millis);
  }
}
