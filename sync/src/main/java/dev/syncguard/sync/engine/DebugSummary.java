package dev.syncguard.sync.engine;

import dev.syncguard.sync.SyncStatus;
import dev.syncguard.sync.state.SyncMeta;
import dev.syncguard.sync.text.Iso;
import org.jspecify.annotations.Nullable;

/** Lines for a bug report: enough to understand a session, too little to enter it. */
public final class DebugSummary {

  private static final long DAY = 86_400_000;
  private static final long MINUTES_5 = 300_000;

  private DebugSummary() {}

  static String of(Session session, SyncStatus status) {
    SyncMeta meta = session.local.meta();
    StringBuilder out = new StringBuilder();
    line(out, "status", status.text());
    line(out, "site", session.settings.site.id());
    line(out, "tab", session.tabId);
    line(
        out,
        "node",
        session.node == null ? "none" : "…" + session.node.substring(session.node.length() - 8));
    line(out, "mode", session.mode.name());
    line(out, "last success", session.lastSuccess < 0 ? "never" : ago(session));
    line(out, "last push", shown(session.lastPushedAt, session.clocks.wallMillis()));
    line(out, "last error", session.lastError);
    line(
        out,
        "dirty",
        "read=" + meta.fields().read().dirty()
            + " loadFrom=" + meta.fields().loadFrom().dirty()
            + " authorPrefs=" + meta.fields().authorPrefs().dirty());
    line(out, "reset pending", String.valueOf(meta.pendingReset() != null));
    line(
        out,
        "fill",
        session.local.read().size() + " read, " + session.local.authorPrefs().size() + " authors");
    line(
        out,
        "retries",
        session.tempo.failures() + ", next in " + session.tempo.retryWait() + " ms");
    line(
        out,
        "quota",
        "limited=" + session.quota.limited()
            + " wait=" + session.quota.waitMillis() + " ms"
            + " pushes today=" + session.quota.pushesToday());
    return out.toString();
  }

  private static String ago(Session session) {
    return (session.tempo.now() - session.lastSuccess) / 1000 + " s ago";
  }

  /** Returns a server's time for people: one that lies more than a day ahead is shown as five minutes ahead. */
  public static String shown(@Nullable String time, long wallMillis) {
    long millis = time == null ? Iso.NONE : Iso.millis(time);
    if (millis == Iso.NONE) {
      return "unknown";
    }
    return Iso.text(millis > wallMillis + DAY ? wallMillis + MINUTES_5 : millis);
  }

  private static void line(StringBuilder out, String name, String value) {
    out.append(name).append(": ").append(value).append('\n');
  }
}
