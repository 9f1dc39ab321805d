package dev.syncguard.sync.engine;

import dev.syncguard.sync.remote.Envelope;
import dev.syncguard.sync.state.SyncedFields;
import dev.syncguard.sync.text.Iso;

/** Puts the times and the writer on what is about to be written. */
final class Envelopes {

  private static final long DAY = 86_400_000;

  private Envelopes() {}

  static Envelope stamp(Session session, SyncedFields fields) {
    long now = session.clock.nowMillis();
    return new Envelope(
        session.settings.site,
        session.local.deviceId(),
        Iso.text(now),
        null,
        Iso.text(now + session.settings.retentionDays * DAY),
        fields);
  }
}
