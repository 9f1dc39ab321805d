package dev.syncguard.sync.remote;

import dev.syncguard.sync.Http;
import dev.syncguard.sync.Timers;
import dev.syncguard.sync.state.SessionSettings;
import dev.syncguard.sync.state.SyncNode;
import dev.syncguard.sync.text.Iso;
import dev.syncguard.sync.text.Json;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes the one document of a node through Firestore's REST interface: GET, and {@code documents:commit} with
 * a single conditional update, and nothing else.
 *
 * <p>Every call ends in exactly one answer within the configured time, on the same thread, whatever the network does. Two
 * commits are never under way at once. Not thread-safe.
 */
public final class FirestoreSyncBackend {

  /** What became of a commit. */
  public sealed interface Commit {}

  /** It is stored; {@code token} is its update time, which must never be parsed or rewritten. */
  public record Stored(String token) implements Commit {}

  /** It is not stored, or nobody knows: see {@link SyncFailure}. */
  public record NotStored(SyncFailure failure) implements Commit {}

  /**
   * What a probe found.
   *
   * @param failure why nothing was found out, or null
   */
  public record Probe(boolean unchanged, @Nullable SyncFailure failure) {}

  private static final String PROBE_MASK = "&mask.fieldPaths=schemaVersion&mask.fieldPaths=site";

  private final SessionSettings settings;
  private final Http http;
  private final Timers timers;
  private final AnchoredClock clock;
  private final Quota quota;
  private final Queue<Runnable> waitingCommits = new ArrayDeque<>();
  private boolean committing;

  public FirestoreSyncBackend(
      SessionSettings settings, Http http, Timers timers, AnchoredClock clock, Quota quota) {
    this.settings = settings;
    this.http = http;
    this.timers = timers;
    this.clock = clock;
    this.quota = quota;
  }

  /** Reads the document of {@code node}. */
  public void read(String node, Consumer<RemoteDocument> callback) {
    send(Http.Method.GET, documentUrl(node), null, reply -> callback.accept(document(reply)));
  }

  /** Asks whether the document of {@code node} still has the update time {@code token}, at the price of few bytes. */
  public void probe(String node, String token, Consumer<Probe> callback) {
    send(Http.Method.GET, documentUrl(node) + PROBE_MASK, null, reply -> {
      if (!(reply instanceof Http.Answer answer)) {
        callback.accept(new Probe(false, failure((Http.Failure) reply)));
      } else if (answer.status() == 200) {
        Map<String, Object> body = Json.parseObject(answer.body());
        callback.accept(new Probe(body != null && token.equals(body.get("updateTime")), null));
      } else {
        callback.accept(
            new Probe(false, RestErrors.saysMissing(answer) ? null : readRefused(answer)));
      }
    });
  }

  /** Reads the operator's document, and tells its fields, none if there is no document, nothing if nobody knows. */
  public void readOperatorLimits(Consumer<Map<String, Object>> callback) {
    send(
        Http.Method.GET,
        url("/documents/pr_sync_v1/" + settings.site.id() + "/operator/limits"),
        null,
        reply -> {
          if (!(reply instanceof Http.Answer answer)) {
            return;
          }
          Map<String, Object> body =
              answer.status() == 200 ? Json.parseObject(answer.body()) : null;
          Map<String, Object> fields =
              body == null ? null : Json.object(body.getOrDefault("fields", Map.of()));
          if (fields != null) {
            callback.accept(fields);
          } else if (RestErrors.saysMissing(answer)) {
            callback.accept(Map.of());
          } else {
            readRefused(answer);
          }
        });
  }

  /**
   * Writes {@code envelope} over {@code base}, or as a new document if there is none. Of a document that makes sense only
   * what differs is written.
   *
   * @throws IllegalArgumentException if the envelope is out of bounds; then nothing was sent
   */
  public void commit(
      String node, Envelope envelope, RemoteDocument.Known base, Consumer<Commit> callback) {
    String token = base.token();
    String body;
    if (base instanceof RemoteDocument.Found found) {
      EnvelopeChanges changes =
          EnvelopeChanges.between(found.envelope(), envelope, found.dropped() == 0);
      body = CommitBody.of(documentName(node), changes.fields(), changes.mask(), token);
    } else {
      body = CommitBody.of(documentName(node), EnvelopeEncoder.encode(envelope), null, token);
    }
    waitingCommits.add(() -> send(Http.Method.POST, url("/documents:commit"), body, reply -> {
      committing = false;
      try {
        callback.accept(result(reply, token == null));
      } finally {
        nextCommit();
      }
    }));
    nextCommit();
  }

  // An answer that came too late for a reset still occupies the line: its commit may just now be
  // landing.
  private void nextCommit() {
    Runnable next = committing ? null : waitingCommits.poll();
    if (next != null) {
      committing = true;
      next.run();
    }
  }

  private RemoteDocument document(Http.Reply reply) {
    if (!(reply instanceof Http.Answer answer)) {
      return new RemoteDocument.Failed(failure((Http.Failure) reply));
    }
    if (RestErrors.saysMissing(answer)) {
      return new RemoteDocument.Missing();
    }
    if (answer.status() != 200) {
      return new RemoteDocument.Failed(readRefused(answer));
    }
    Map<String, Object> body = Json.parseObject(answer.body());
    if (body == null || !(body.get("updateTime") instanceof String token) || token.isEmpty()) {
      return new RemoteDocument.Failed(SyncFailure.NETWORK);
    }
    long written = Iso.millis(token);
    if (written != Iso.NONE) {
      clock.isAtLeast(written);
    }
    Map<String, Object> fields = Json.object(body.getOrDefault("fields", Map.of()));
    if (fields == null) {
      return new RemoteDocument.Failed(SyncFailure.NETWORK);
    }
    EnvelopeDecoder.Decoded decoded = EnvelopeDecoder.decode(fields, settings.site);
    if (decoded instanceof EnvelopeDecoder.Good good) {
      return new RemoteDocument.Found(good.envelope(), token, good.dropped());
    }
    return decoded instanceof EnvelopeDecoder.Bad bad
        ? new RemoteDocument.Unusable(false, bad.reason(), fields, token)
        : new RemoteDocument.Unusable(true, "a newer version", fields, token);
  }

  private Commit result(Http.Reply reply, boolean creates) {
    if (!(reply instanceof Http.Answer answer)) {
      return new NotStored(failure((Http.Failure) reply));
    }
    if (answer.status() < 200 || answer.status() > 299) {
      return new NotStored(heeded(RestErrors.ofCommit(answer, creates), true));
    }
    Map<String, Object> body = Json.parseObject(answer.body());
    Map<String, Object> first =
        body != null && body.get("writeResults") instanceof List<?> list && !list.isEmpty()
            ? Json.object(list.get(0))
            : null;
    if (first == null || !(first.get("updateTime") instanceof String token) || token.isEmpty()) {
      // It says yes, but not to what: perhaps a proxy speaks. Only a new read can tell.
      return new NotStored(SyncFailure.NETWORK);
    }
    long stored = Iso.millis(token);
    if (stored != Iso.NONE) {
      clock.hear(stored);
    }
    return new Stored(token);
  }

  private SyncFailure readRefused(Http.Answer answer) {
    return heeded(RestErrors.ofRead(answer), false);
  }

  // Here, and not by those who asked: whatever a refusal answers, nothing may be asked after it.
  private SyncFailure heeded(SyncFailure failure, boolean write) {
    if (failure == SyncFailure.QUOTA) {
      quota.hit(write);
    }
    return failure;
  }

  private static SyncFailure failure(Http.Failure failure) {
    return failure.cause() == Http.Cause.REFUSED ? SyncFailure.REFUSED : SyncFailure.NETWORK;
  }

  /** Sends a request and passes on the first thing that comes back, or a timeout when nothing does. */
  private void send(
      Http.Method method, String url, @Nullable String body, Consumer<Http.Reply> callback) {
    boolean[] over = {false};
    Consumer<Http.Reply> once = reply -> {
      if (!over[0]) {
        over[0] = true;
        callback.accept(reply);
      }
    };
    Timers.Timer timeout = timers.schedule(
        settings.requestTimeoutMillis, () -> once.accept(new Http.Failure(Http.Cause.TIMEOUT)));
    try {
      http.send(new Http.Request(method, url, body, settings.requestTimeoutMillis), reply -> {
        timeout.cancel();
        if (!over[0] && reply instanceof Http.Answer answer && answer.date() != null) {
          long date = Iso.httpDateMillis(answer.date());
          if (date != Iso.NONE) {
            clock.hear(date);
          }
        }
        once.accept(reply);
      });
    } catch (RuntimeException refused) {
      timeout.cancel();
      timers.schedule(0, () -> once.accept(new Http.Failure(Http.Cause.REFUSED)));
    }
  }

  private String documentUrl(String node) {
    return url("/documents/" + SyncNode.path(settings.site, node));
  }

  private String documentName(String node) {
    return "projects/" + settings.project + "/databases/(default)/documents/"
        + SyncNode.path(settings.site, node);
  }

  private String url(String rest) {
    return settings.endpoint + "/projects/" + settings.project + "/databases/(default)" + rest
        + "?key=" + settings.apiKey;
  }
}
