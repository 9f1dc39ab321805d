package dev.syncguard.lock.redis;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.LockNote;
import dev.syncguard.lock.Time;
import dev.syncguard.lock.spi.WaitingLine;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The line at the server: first come, first served, and a release calls exactly the first. See {@code line.lua}. */
final class RedisLine implements WaitingLine, AutoCloseable {

  /** How long a lock is kept for the waiter that was called. */
  static final Duration RESERVATION = Duration.ofMillis(200);

  private static final String NOBODY = "";

  final RedisServer server;
  final RedisKeys keys;
  final Grants grants;
  private final @Nullable WakeUps wakeUps;
  private final String reservationMillis;

  RedisLine(RedisServer server, RedisKeys keys, Grants grants, Duration reservation, Time time) {
    this.server = server;
    this.keys = keys;
    this.grants = grants;
    this.reservationMillis = Long.toString(reservation.toMillis());
    String channel = keys.inNamespace("wake:" + UUID.randomUUID());
    this.wakeUps = server
        .connections()
        .map(connections -> new WakeUps(connections, channel, this::tryToCall, time))
        .orElse(null);
  }

  private void tryToCall(String channel) {
    try {
      server.call(() -> server.client().publish(channel, NOBODY));
    } catch (LockException e) {
      // Then nobody hears it, and the connection that should have is replaced.
    }
  }

  @Override
  public Place join(LockKey key, LockId id, Runnable wakeUp) {
    return join(key, id, Optional.empty(), wakeUp);
  }

  @Override
  public Place join(LockKey key, LockId id, LockNote note, Runnable wakeUp) {
    return join(key, id, Optional.of(note), wakeUp);
  }

  private Place join(LockKey key, LockId id, Optional<LockNote> note, Runnable wakeUp) {
    if (wakeUps == null) {
      throw new IllegalStateException("This client offers no connection to listen on");
    }
    return new RedisPlace(this, wakeUps, key, id, note, wakeUp);
  }

  void leave(String lock, LockId id, String channel, Cancellation cancellation) {
    server.run(
        Script.LEAVE,
        List.of(lock),
        List.of(id.value(), channel, reservationMillis, serverKnowsItsListeners()),
        cancellation);
  }

  String reservationMillis() {
    return reservationMillis;
  }

  /** Returns the script argument for {@link RedisServer#knowsItsListeners()}. */
  String serverKnowsItsListeners() {
    return server.knowsItsListeners() ? "1" : "0";
  }

  @Override
  public void close() {
    if (wakeUps != null) {
      wakeUps.close();
    }
  }
}
