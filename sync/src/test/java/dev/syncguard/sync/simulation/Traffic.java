package dev.syncguard.sync.simulation;

import dev.syncguard.sync.Http;
import dev.syncguard.sync.SyncStatus;
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
  private static final int RACES = 3;
  private static final long LATE = 10_000;
  private static final long A_PUSH = 4 * 60_000;
  private static final long DAY = 86_400_000;

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
    private final long sentAt;
    private final Forum.Account account;
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
      this.sentAt = from.device.world.now();
      this.account = new Forum.Account(from.site, String.valueOf(meta.user()));
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
  private boolean readFailed;
  private boolean writeFailed;
  private int races;
  private Set<Kind> dirtyAtFailure = Set.of();
  private Meta metaAtFailure = Meta.NONE;

  Traffic(Tab tab, Scene scene) {
    this.tab = tab;
    this.scene = scene;
  }

  Sent send(Http.Request request) {
    long now = scene.world.now();
    Sent sent = new Sent(tab, request, tab.meta());
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
    Pace pace = tab.device.pace(sent.account);
    Violation.unless(
        !scene.network.refusesWrites
            || sent.resets
            || pace.mishapsAtRefusal != tab.device.mishaps()
            || scene.world.now() - pace.refusedAt >= pace.pauseAfterRefusals(),
        "refused writes are tried again less and less often",
        () -> sent + " after " + (scene.world.now() - pace.refusedAt) + " ms and " + pace.refusals
            + " refusals");
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
    // One that arrives when its sender has long given it up was sent before the last.
    boolean overtaken = sent.sentAt <= lastPush;
    Violation.unless(
        overtaken || now - lastPush >= scene.rules.writeFloor(),
        "pushes keep their distance",
        () -> sent + " after " + (now - lastPush) + " ms");
    Violation.unless(
        overtaken
            || !sent.onlyReadDirty
            || hurriedAt >= 0
            || now - lastReadOnlyPush >= scene.rules.readOnlyWindow(),
        "pushes of read marks alone are rare",
        () -> sent + " after " + (now - lastReadOnlyPush) + " ms");
    Pace pace = tab.device.pace(sent.account);
    boolean known = sent.sentAt > pace.confirmedAt + (tab.device.lateness == null ? 0 : LATE)
        && pace.mishaps == tab.device.mishaps();
    Violation.unless(
        !known || now - pace.lastPush >= scene.rules.writeFloor(),
        "pushes of all tabs keep their distance",
        () -> sent + " after " + (now - pace.lastPush) + " ms");
    Violation.unless(
        !known
            || !sent.onlyReadDirty
            || hurriedAt >= 0
            || now - pace.lastReadOnlyPush >= scene.rules.readOnlyWindow(),
        "pushes of read marks alone are rare in all tabs together",
        () -> sent + " after " + (now - pace.lastReadOnlyPush) + " ms");
    hurriedAt = sent.step > hurriedAt ? -1 : hurriedAt;
  }

  /** Sync was switched off or on: what is under way will not be heard of, and a write that was to be tried again begins anew. */
  void forget() {
    underWay.forEach(sent -> sent.forgotten = true);
    writeFailed = false;
    races = 0;
  }

  /** The reader has left or asked for a push: the pause between pushes of read marks alone is lifted once. */
  void hurry() {
    hurriedAt = scene.world.step();
  }

  void heard(Sent sent, Http.Reply reply) {
    boolean first = !sent.over && !sent.forgotten && scene.world.now() < sent.givenUpAt;
    sent.over = true;
    underWay.remove(sent);
    if (first) {
      noteFailure(sent, reply);
    }
    if (!(reply instanceof Http.Answer answer)) {
      return;
    }
    if (answer.status() == 429
        && first
        && !sent.resets
        && scene.network.refusesWrites
        && sent.request.method() == Http.Method.POST) {
      tab.device
          .pace(sent.account)
          .refused(scene.world.now(), tab.device.mishaps(), scene.network.shortages);
    }
    if (answer.status() == 429 && first) {
      quotaRefusal = scene.world.now();
      clockJumpsAtRefusal = tab.device.clockJumps;
    }
    boolean confirmed = first
        && sent.appliedAt >= 0
        && answer.status() == 200
        && answer.body().contains("\"updateTime\":\"2");
    if (confirmed) {
      tab.device.pace(sent.account).refusals = 0;
    }
    if (confirmed && !sent.resets) {
      Device device = tab.device;
      // A reset does not wait for what was under way before it.
      if (!tab.resetting) {
        device
            .pace(sent.account)
            .confirmed(sent.appliedAt, scene.world.now(), sent.onlyReadDirty, device.mishaps());
      }
      lastPush = sent.appliedAt;
      if (sent.onlyReadDirty) {
        lastReadOnlyPush = sent.appliedAt;
      }
      count(sent.account);
    }
  }

  // Of quotas another tab may have seen the end, so a refusal for that is no failure of this one.
  private void noteFailure(Sent sent, Http.Reply reply) {
    int status = reply instanceof Http.Answer answer ? answer.status() : 0;
    if (sent.request.method() == Http.Method.POST) {
      // A lost race is read, merged and tried again; only a fourth one ends the attempt.
      races = status == 400 || status == 404 || status == 409 ? races + 1 : 0;
      writeFailed = races == 0 ? status != 200 && status != 429 : races > RACES;
      readFailed &= status != 200;
      metaAtFailure = tab.meta();
      dirtyAtFailure = metaAtFailure.dirty();
    } else {
      boolean missing =
          status == 404 && ((Http.Answer) reply).body().contains("\"status\":\"NOT_FOUND\"");
      readFailed = status != 200 && status != 429 && !missing;
    }
  }

  /** Takes note of the label: it may not say that all is well when it is not. */
  void shows(SyncStatus status) {
    Meta meta = tab.meta();
    // What failed has since turned out to have got through, or to be put out by a clearing.
    writeFailed &= meta.dirty().containsAll(dirtyAtFailure)
        && dirtyAtFailure.stream().anyMatch(kind -> meta.epoch(kind) == metaAtFailure.epoch(kind));
    // A reset that was refused and is due no longer has been brought about by somebody else.
    writeFailed &= !metaAtFailure.resetPending() || meta.resetPending();
    boolean moved = scene.forum.hasMoved(new Forum.Account(tab.site, String.valueOf(meta.user())));
    Violation.unless(
        status.kind() != SyncStatus.Kind.OK || moved || !(readFailed || writeFailed),
        "the label says OK only if the last attempts worked",
        tab::toString);
  }

  private void count(Forum.Account account) {
    Device device = tab.device;
    if (device.clockJumps > 0) {
      return;
    }
    String day = account + " " + scene.world.trueMillis() / DAY;
    int pushes = device.confirmedPushes.merge(day, 1, Integer::sum);
    // Tabs that push at the same moment and crashes before the counting may each add one.
    int tolerated = scene.rules.hardBudget() + device.crashes + device.mostTabs - 1;
    Violation.unless(
        pushes <= tolerated,
        "the daily budget holds",
        () -> device + " pushed " + pushes + " times");
  }
}
