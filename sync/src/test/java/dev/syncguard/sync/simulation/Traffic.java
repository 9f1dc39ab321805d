package dev.syncguard.sync.simulation;

import dev.syncguard.sync.Http;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What one tab sends, held against everything that sync promises about requests. */
final class Traffic {

  private static final long QUOTA_PAUSE = 5 * 60_000;
  private static final int MOST_PER_MINUTE = 45;
  private static final long A_PUSH = 4 * 60_000;

  /** A request on its way, and what its sender knew. */
  static final class Sent {
    private final Tab from;
    private final Http.Request request;
    private final long step;
    private final long givenUpAt;
    private final boolean resets;
    private final boolean begunAsReset;
    private final Map<Kind, Integer> resetTargets;
    private final boolean onlyReadDirty;
    private long appliedAt = -1;
    private boolean over;
    private boolean forgotten;

    Sent(Tab from, Http.Request request, Meta meta) {
      this.from = from;
      this.request = request;
      this.step = from.device.world.step();
      this.givenUpAt = from.device.world.now() + request.timeoutMillis();
      this.resets = from.resetting || meta.resetPending();
      this.begunAsReset = from.resetting;
      this.resetTargets = from.resetting ? Map.of() : meta.resetTargets();
      // A push keeps its scope through all its attempts, although others may push the rest
      // meanwhile.
      long since = from.device.onlyReadDirtySince(from.site);
      this.onlyReadDirty =
          meta.dirty().equals(Set.of(Kind.READ)) && from.device.world.now() - since > A_PUSH;
    }

    Tab from() {
      return from;
    }

    Http.Request request() {
      return request;
    }

    /** Returns when it was sent, in steps of the world. */
    long step() {
      return step;
    }

    /** Returns whether the sender was about to repeat a reset. */
    boolean resets() {
      return resets;
    }

    /** Returns whether it is a reset that the reader has just asked for. */
    boolean isNewReset() {
      return begunAsReset;
    }

    /** Returns how far a repeated reset was meant to go, if this is one. */
    Map<Kind, Integer> resetTargets() {
      return resetTargets;
    }

    void applied(long now) {
      appliedAt = now;
    }

    @Override
    public String toString() {
      return from + (request.method() == Http.Method.POST ? " commit" : " read") + " #" + step;
    }
  }

  private final Tab tab;
  private final Scene scene;
  private final Set<String> tokens = new HashSet<>();
  private final Deque<Long> recent = new ArrayDeque<>();
  private final Set<Sent> underWay = new HashSet<>();
  private @Nullable Sent commitUnderWay;
  private long lastPush = Long.MIN_VALUE / 2;
  private long lastReadOnlyPush = Long.MIN_VALUE / 2;
  private long quotaRefusal = Long.MIN_VALUE / 2;
  private int clockJumpsAtRefusal;
  private long hurriedAt = -1;

  Traffic(Tab tab, Scene scene) {
    this.tab = tab;
    this.scene = scene;
  }

  Sent send(Http.Request request) {
    long now = scene.world.now();
    Sent sent = new Sent(tab, request, tab.device.meta(tab.site));
    underWay.add(sent);
    scene.world.say(() -> sent + " is sent");
    while (!recent.isEmpty() && recent.peekFirst() <= now - 60_000) {
      recent.removeFirst();
    }
    recent.add(now);
    Violation.unless(
        recent.size() <= MOST_PER_MINUTE,
        "no storm of requests",
        () -> recent.size() + " by " + tab);
    boolean jumped = tab.device.clockJumps != clockJumpsAtRefusal;
    Violation.unless(
        now >= quotaRefusal + QUOTA_PAUSE || tab.resetting || jumped,
        "nothing is sent while the quota is used up",
        sent::toString);
    if (request.method() == Http.Method.POST) {
      commits(sent);
    }
    return sent;
  }

  private void commits(Sent sent) {
    String body = String.valueOf(sent.request.body());
    scene.secrecy.checkPayload(body);
    Sent other = commitUnderWay;
    Violation.unless(
        other == null || other.over || scene.world.now() >= other.givenUpAt,
        "one commit at a time",
        () -> sent + " while " + other + " is under way");
    commitUnderWay = sent;
    String token = token(body);
    Violation.unless(
        token.isEmpty() || tokens.contains(token), "tokens go back as they came", () -> token);
  }

  /** Returns the update time in a request or an answer, byte for byte, or nothing. */
  private static String token(String json) {
    String name = "\"updateTime\":\"";
    int at = json.lastIndexOf(name);
    return at < 0 ? "" : json.substring(at + name.length(), json.indexOf('"', at + name.length()));
  }

  /** The server has answered; the answer may or may not arrive. */
  void answered(Http.Answer answer) {
    if (answer.status() == 200) {
      tokens.add(token(answer.body()));
    }
  }

  /** The server has carried out a commit. */
  void applied(Sent sent, Cloud.Written written) {
    if (sent.resets) {
      return;
    }
    long now = scene.world.now();
    Violation.unless(
        now - lastPush >= scene.rules.writeFloor(),
        "pushes keep their distance",
        () -> sent + " after " + (now - lastPush) + " ms");
    Violation.unless(
        !sent.onlyReadDirty
            || hurriedAt >= 0
            || now - lastReadOnlyPush >= scene.rules.readOnlyWindow(),
        "pushes of read marks alone are rare",
        () -> sent + " after " + (now - lastReadOnlyPush) + " ms");
    hurriedAt = sent.step > hurriedAt ? -1 : hurriedAt;
  }

  /** Sync was switched off or on: what is under way will not be heard of. */
  void forget() {
    underWay.forEach(sent -> sent.forgotten = true);
  }

  /** The reader has left or asked for a push: the pause between pushes of read marks alone is lifted once. */
  void hurry() {
    hurriedAt = scene.world.step();
  }

  void heard(Sent sent, Http.Reply reply) {
    boolean first = !sent.over && !sent.forgotten && scene.world.now() < sent.givenUpAt;
    sent.over = true;
    underWay.remove(sent);
    if (!(reply instanceof Http.Answer answer)) {
      return;
    }
    if (answer.status() == 429 && first) {
      quotaRefusal = scene.world.now();
      clockJumpsAtRefusal = tab.device.clockJumps;
    }
    boolean confirmed = first
        && sent.appliedAt >= 0
        && answer.status() == 200
        && answer.body().contains("\"updateTime\":\"2");
    if (confirmed && !sent.resets) {
      lastPush = sent.appliedAt;
      if (sent.onlyReadDirty) {
        lastReadOnlyPush = sent.appliedAt;
      }
      count();
    }
  }

  private void count() {
    Device device = tab.device;
    if (device.clockJumps > 0) {
      return;
    }
    String day = tab.site.id()
        + Instant.ofEpochMilli(device.wallMillis()).atZone(ZoneOffset.UTC).toLocalDate();
    int pushes = device.confirmedPushes.merge(day, 1, Integer::sum);
    // Tabs that push at the same moment and crashes before the counting may each add one.
    int tolerated = scene.rules.hardBudget() + device.crashes + device.mostTabs - 1;
    Violation.unless(
        pushes <= tolerated,
        "the daily budget holds",
        () -> device + " pushed " + pushes + " times");
  }
}
