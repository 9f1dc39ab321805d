package dev.syncguard.sync;

import dev.syncguard.sync.remote.Envelope;
import dev.syncguard.sync.remote.EnvelopeDecoder;
import dev.syncguard.sync.remote.EnvelopeEncoder;
import dev.syncguard.sync.state.SyncNode;
import dev.syncguard.sync.state.SyncedFields;
import dev.syncguard.sync.text.Iso;
import dev.syncguard.sync.text.Json;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;

/** Just enough of Firestore: documents with update times, conditional commits, and a script of things that go wrong. */
@NullUnmarked
final class FakeFirestore implements Http {

  /** What to do with a request instead of serving it. */
  interface Mischief {
    /** Returns whether the request is taken care of. */
    boolean befall(Request request, Consumer<Reply> callback);
  }

  record Document(Map<String, Object> fields, String token) {}

  private final World world;
  final Map<String, Document> documents = new HashMap<>();
  final List<Request> requests = new ArrayList<>();
  final List<Long> commitTimes = new ArrayList<>();
  private final IdentityHashMap<Request, Map<String, Object>> intended = new IdentityHashMap<>();
  private final Deque<Mischief> mischiefForReads = new ArrayDeque<>();
  private final Deque<Mischief> mischiefForCommits = new ArrayDeque<>();

  @Nullable
  Mischief always;

  boolean datesAreVisible = true;
  long latency = 20;
  int inFlightCommits;
  int mostInFlightCommits;
  private long versions;

  FakeFirestore(World world) {
    this.world = world;
  }

  // What goes wrong.

  void nextRead(Mischief mischief) {
    mischiefForReads.add(mischief);
  }

  void nextCommit(Mischief mischief) {
    mischiefForCommits.add(mischief);
  }

  Mischief answer(int status, String body) {
    return (request, callback) -> {
      world.schedule(latency, () -> callback.accept(new Answer(status, body, date())));
      return true;
    };
  }

  Mischief error(int code, String status) {
    return error(code, status, "because");
  }

  Mischief error(int code, String status, String message) {
    return answer(
        code,
        "{\"error\":{\"code\":" + code + ",\"message\":\"" + message + "\",\"status\":\"" + status
            + "\"}}");
  }

  Mischief fail(Cause cause) {
    return (request, callback) -> {
      world.schedule(latency, () -> callback.accept(new Failure(cause)));
      return true;
    };
  }

  /** Serves the request, but the answer is lost. */
  Mischief loseAnswer() {
    return (request, callback) -> {
      world.schedule(latency, () -> serve(request));
      world.schedule(2 * latency, () -> callback.accept(new Failure(Cause.OFFLINE)));
      return true;
    };
  }

  static Mischief silence() {
    return (request, callback) -> true;
  }

  Mischief delay(long millis) {
    return (request, callback) -> {
      world.schedule(millis, () -> callback.accept(serve(request)));
      return true;
    };
  }

  /** Lets something happen just before the request arrives. */
  Mischief before(Runnable event) {
    return (request, callback) -> {
      event.run();
      return false;
    };
  }

  // What was asked.

  List<Request> reads() {
    return requests.stream().filter(request -> request.method() == Method.GET).toList();
  }

  List<Request> fullReads() {
    return reads().stream().filter(request -> !request.url().contains("mask")).toList();
  }

  List<Request> commits() {
    return requests.stream().filter(request -> request.method() == Method.POST).toList();
  }

  /** Returns the single write of a commit. */
  static Map<String, Object> write(Request commit) {
    List<?> writes = (List<?>) Json.parseObject(commit.body()).get("writes");
    return Json.object(writes.get(0));
  }

  static Map<String, Object> precondition(Request commit) {
    return Json.object(write(commit).get("currentDocument"));
  }

  /** Returns what the document said, or would have said, after a commit. */
  Envelope envelope(Request commit, Site site) {
    return good(EnvelopeDecoder.decode(intended.get(commit), site));
  }

  /** Returns a document after an update, whole or by a mask. */
  private Map<String, Object> updated(Request commit) {
    Map<String, Object> write = write(commit);
    Map<String, Object> update = Json.object(write.get("update"));
    Map<String, Object> fields = Json.object(update.get("fields"));
    Map<String, Object> mask = Json.object(write.get("updateMask"));
    Document document = documents.get((String) update.get("name"));
    if (mask == null || document == null) {
      return fields;
    }
    Map<String, Object> copy = Json.parseObject(Json.write(document.fields()));
    for (Object path : (List<?>) mask.get("fieldPaths")) {
      copy(fields, copy, ((String) path).split("\\.(?=([^`]*`[^`]*`)*[^`]*$)", -1), 0);
    }
    return copy;
  }

  private static void copy(
      @Nullable Map<String, Object> from, Map<String, Object> to, String[] path, int at) {
    String name = path[at].startsWith("`")
        ? path[at].substring(1, path[at].length() - 1).replace("\\`", "`").replace("\\\\", "\\")
        : path[at];
    Object value = from == null ? null : from.get(name);
    if (at == path.length - 1) {
      if (value == null) {
        to.remove(name);
      } else {
        to.put(name, value);
      }
      return;
    }
    Map<String, Object> inner = value == null ? null : members(Json.object(value));
    copy(inner, members(Json.object(to.get(name))), path, at + 1);
  }

  private static Map<String, Object> members(Map<String, Object> value) {
    Map<String, Object> map = Json.object(value.get("mapValue"));
    return Json.object(map.computeIfAbsent("fields", none -> new HashMap<String, Object>()));
  }

  Envelope lastPushed() {
    return envelope(commits().get(commits().size() - 1), Site.LESSWRONG);
  }

  // What is stored.

  @Nullable
  Envelope stored(String node) {
    return stored(Site.LESSWRONG, node);
  }

  @Nullable
  Envelope stored(Site site, String node) {
    Document document = documents.get(name(site, node));
    return document == null ? null : good(EnvelopeDecoder.decode(document.fields(), site));
  }

  private static Envelope good(EnvelopeDecoder.Decoded decoded) {
    if (decoded instanceof EnvelopeDecoder.Good good) {
      return good.envelope();
    }
    throw new AssertionError("Not a good envelope: " + decoded);
  }

  /** Writes as somebody else. */
  void plant(String node, SyncedFields fields) {
    plant(Site.LESSWRONG, node, fields);
  }

  void plant(Site site, String node, SyncedFields fields) {
    String now = Iso.text(world.trueMillis());
    String later = Iso.text(world.trueMillis() + 180 * 86_400_000L);
    Envelope envelope = new Envelope(site, "elsewhere", now, null, later, fields);
    plantRaw(site, node, EnvelopeEncoder.encode(envelope));
  }

  void plantRaw(Site site, String node, String fields) {
    documents.put(name(site, node), new Document(Json.parseObject(fields), nextToken()));
  }

  void delete(String node) {
    documents.remove(name(Site.LESSWRONG, node));
  }

  String token(String node) {
    return documents.get(name(Site.LESSWRONG, node)).token();
  }

  private static String name(Site site, String node) {
    return "projects/demo/databases/(default)/documents/" + SyncNode.path(site, node);
  }

  private String nextToken() {
    String micros = Long.toString(1_000_000 + ++versions).substring(1);
    return Iso.text(world.trueMillis()).substring(0, 19) + "." + micros + "Z";
  }

  @Override
  public void send(Request request, Consumer<Reply> callback) {
    requests.add(request);
    boolean commit = request.method() == Method.POST;
    Consumer<Reply> back = callback;
    if (commit) {
      intended.put(request, updated(request));
      commitTimes.add(world.elapsed());
      inFlightCommits++;
      mostInFlightCommits = Math.max(mostInFlightCommits, inFlightCommits);
      boolean[] over = {false};
      back = reply -> {
        inFlightCommits -= over[0] ? 0 : 1;
        over[0] = true;
        callback.accept(reply);
      };
    }
    Mischief mischief = (commit ? mischiefForCommits : mischiefForReads).poll();
    mischief = mischief == null ? always : mischief;
    if (mischief != null && mischief.befall(request, back)) {
      return;
    }
    Consumer<Reply> there = back;
    world.schedule(latency, () -> {
      Reply reply = serve(request);
      world.schedule(latency, () -> there.accept(reply));
    });
  }

  private Reply serve(Request request) {
    return request.method() == Method.GET ? get(request) : commit(request);
  }

  private Reply get(Request request) {
    String path =
        request.url().substring("http://127.0.0.1:1/v1/".length(), request.url().indexOf('?'));
    Document document = documents.get(path);
    if (document == null) {
      return refusal(404, "NOT_FOUND");
    }
    Map<String, Object> body = new HashMap<>();
    body.put("name", path);
    body.put("updateTime", document.token());
    if (!request.url().contains("mask.fieldPaths")) {
      body.put("fields", document.fields());
    }
    return new Answer(200, Json.write(body), date());
  }

  private Reply commit(Request request) {
    Map<String, Object> condition = precondition(request);
    Map<String, Object> update = Json.object(write(request).get("update"));
    String name = (String) update.get("name");
    Document document = documents.get(name);
    if (Boolean.FALSE.equals(condition.get("exists")) && document != null) {
      return refusal(409, "ALREADY_EXISTS");
    }
    Object token = condition.get("updateTime");
    if (token != null && (document == null || !token.equals(document.token()))) {
      return refusal(400, "FAILED_PRECONDITION");
    }
    Map<String, Object> fields = updated(request);
    long expires = Iso.millis((String) Json.object(fields.get("expiresAt")).get("timestampValue"));
    if (expires <= world.trueMillis() || expires >= world.trueMillis() + 181 * 86_400_000L) {
      return refusal(403, "PERMISSION_DENIED");
    }
    Document stored = new Document(fields, nextToken());
    documents.put(name, stored);
    return new Answer(
        200,
        "{\"writeResults\":[{\"updateTime\":\"" + stored.token() + "\"}],\"commitTime\":\""
            + stored.token() + "\"}",
        date());
  }

  private Answer refusal(int code, String status) {
    return new Answer(
        code,
        "{\"error\":{\"code\":" + code + ",\"message\":\"no\",\"status\":\"" + status + "\"}}",
        date());
  }

  private @Nullable String date() {
    return datesAreVisible
        ? DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC)
            .format(Instant.ofEpochMilli(world.trueMillis()))
        : null;
  }
}
