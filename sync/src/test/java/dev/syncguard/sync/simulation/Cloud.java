package dev.syncguard.sync.simulation;

import com.google.firestore.v1.CommitRequest;
import com.google.firestore.v1.CommitResponse;
import com.google.firestore.v1.Document;
import com.google.firestore.v1.DocumentMask;
import com.google.firestore.v1.GetDocumentRequest;
import com.google.firestore.v1.Write;
import com.google.rpc.Code;
import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.auth.AuthContext;
import dev.syncguard.firestore.server.name.DatabaseName;
import dev.syncguard.firestore.server.name.DocumentName;
import dev.syncguard.firestore.server.operation.Databases;
import dev.syncguard.firestore.server.operation.Databases.Served;
import dev.syncguard.firestore.server.operation.Operations;
import dev.syncguard.firestore.server.query.IndexCheck;
import dev.syncguard.firestore.server.store.Change;
import dev.syncguard.firestore.server.store.Database;
import dev.syncguard.firestore.server.store.Database.HistoryLimits;
import dev.syncguard.firestore.server.store.Journal;
import dev.syncguard.firestore.server.store.Topic;
import dev.syncguard.firestore.server.transaction.TransactionSettings;
import dev.syncguard.firestore.server.transaction.Transactions;
import dev.syncguard.sync.Http;
import dev.syncguard.sync.Site;
import dev.syncguard.sync.replay.Settings;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Our Firestore server without its sockets: the real rules and the real commits, asked in REST's words. */
final class Cloud {

  private static final String COMMIT = "/documents:commit";
  private static final Set<Code> LOST_RACES =
      EnumSet.of(Code.FAILED_PRECONDITION, Code.ALREADY_EXISTS, Code.NOT_FOUND);
  private static final AuthContext ANYBODY = new AuthContext.Anonymous();
  private static final AuthContext OWNER = new AuthContext.Owner();

  private final World world;
  private final DatabaseName database = new DatabaseName(Settings.PROJECT, "(default)");
  private final String base = Settings.ENDPOINT + "/" + database;
  private final Operations operations;
  private final Map<String, Contents> documents = new HashMap<>();
  private final Set<String> unusable = new HashSet<>();
  private final Set<String> newer = new HashSet<>();
  private final Map<String, DocumentTrace> traces = new TreeMap<>();
  private @Nullable Change lastChange;
  private long datedSecond = -1;
  private String date = "";

  Cloud(World world) {
    this.world = world;
    HistoryLimits onlyThePresent = new HistoryLimits(Duration.ofMillis(1), 1, 1);
    Databases databases = new Databases(name -> {
      Database created = new Database(
          name,
          Journal.NONE,
          () -> Instant.ofEpochMilli(world.trueMillis()),
          (collection, field) -> false,
          onlyThePresent);
      created
          .observe(commit -> commit.changes().forEach(change -> lastChange = change))
          .follow(Set.of(new Topic.Everything()));
      return new Served(
          created,
          new Transactions(created, TransactionSettings.DEFAULT, () -> world.now() * 1_000_000, 1));
    });
    operations =
        Operations.of(databases, new SyncRules(), IndexCheck.NONE, RandomGenerator.getDefault());
  }

  /**
   * What a commit did to the document of a node.
   *
   * @param overNonsense whether nobody could make sense of what was there before
   */
  record Written(String path, Contents before, Contents after, boolean overNonsense) {}

  /** An answer, and what changed on the way to it. */
  record Answered(Http.Answer answer, @Nullable Written written) {}

  /** Returns what the document at the path says now. */
  Contents contents(String path) {
    return documents.getOrDefault(path, Contents.NONE);
  }

  /** Returns what happened to each document, for the model. */
  Collection<DocumentTrace> traces() {
    return traces.values();
  }

  private DocumentTrace trace(String path) {
    return traces.computeIfAbsent(path, unknown -> new DocumentTrace());
  }

  boolean holds(String path) {
    return documents.containsKey(path);
  }

  /** Returns whether the document at the path was written by a newer version. */
  boolean isNewer(String path) {
    return newer.contains(path);
  }

  /** Returns whether any document of the site was written by a newer version. */
  boolean holdsNewer(Site site) {
    return newer.stream().anyMatch(path -> path.startsWith("pr_sync_v1/" + site.id() + "/"));
  }

  /** Returns whether there is a document at the path of which nobody can make sense. */
  boolean isUnusable(String path) {
    return unusable.contains(path);
  }

  /** Removes a document, as the server does when its time has come. */
  void expire(String path) {
    commit(Write.newBuilder().setDelete(database + "/documents/" + path));
    documents.remove(path);
    unusable.remove(path);
    newer.remove(path);
    trace(path).end();
  }

  /** Puts a document in the place of another, past all rules, and returns what it says. */
  Contents overwrite(String path, Document.Builder document, boolean usable) {
    Document named = document.setName(database + "/documents/" + path).build();
    commit(Write.newBuilder().setUpdate(named));
    Change change = lastChange;
    if (usable && change != null && change.after() != null) {
      trace(path).replaced(change.after());
    } else {
      trace(path).end();
    }
    Contents after = Contents.of(named);
    documents.put(path, after);
    unusable.remove(path);
    newer.remove(path);
    if (named.getFieldsOrThrow("schemaVersion").getIntegerValue() > 1) {
      newer.add(path);
    }
    if (!usable) {
      unusable.add(path);
    }
    return after;
  }

  private void commit(Write.Builder write) {
    operations
        .commits()
        .commit(
            OWNER,
            CommitRequest.newBuilder()
                .setDatabase(database.toString())
                .addWrites(write)
                .build());
  }

  /**
   * Answers a request.
   *
   * @param clockIsFarOff whether its sender may not know better than to write times that the rules refuse
   */
  Answered answer(Http.Request request, boolean clockIsFarOff) {
    lastChange = null;
    String body;
    int status = 200;
    try {
      body = request.method() == Http.Method.POST
          ? Wire.print(commit(request))
          : Wire.print(get(request.url()));
    } catch (FirestoreServerException e) {
      Violation.unless(
          LOST_RACES.contains(e.code())
              || (e.code() == Code.PERMISSION_DENIED
                  && (clockIsFarOff || updatesWhatIsGone(request))),
          "sync writes nothing that the rules or the server refuse",
          () -> e.code() + " " + e.getMessage() + " for " + request.body());
      status = status(e.code());
      body = error(status, e.code().name(), String.valueOf(e.getMessage()));
    }
    return new Answered(new Http.Answer(status, body, date()), written());
  }

  /** Returns whether a request updates a part of a document that is gone or spoilt: that looks bad to the rules. */
  private boolean updatesWhatIsGone(Http.Request request) {
    String body = String.valueOf(request.body());
    return body.contains("updateMask")
        && documents.keySet().stream()
            .filter(path -> !unusable.contains(path))
            .noneMatch(body::contains);
  }

  private CommitResponse commit(Http.Request request) {
    String url = request.url();
    String body = request.body();
    if (body == null || !url.equals(base + COMMIT + "?key=" + Settings.API_KEY)) {
      throw new Violation("only one document is read and written", "an unknown POST");
    }
    CommitRequest commit = Wire.commit(body).setDatabase(database.toString()).build();
    Write write = commit.getWrites(0);
    DocumentTrace trace = trace(DocumentName.parse(write.getUpdate().getName()).path());
    try {
      CommitResponse response = operations.commits().commit(ANYBODY, commit);
      Change change = lastChange;
      if (change != null && change.after() != null) {
        trace.stored(write.getCurrentDocument(), change.after());
      }
      return response;
    } catch (FirestoreServerException e) {
      if (LOST_RACES.contains(e.code())) {
        trace.refused(write.getCurrentDocument());
      }
      throw e;
    }
  }

  private Document get(String url) {
    int mark = url.indexOf('?');
    if (mark < 0 || !url.startsWith(base + "/documents/")) {
      throw new Violation("only one document is read and written", "an unknown GET");
    }
    GetDocumentRequest.Builder get = GetDocumentRequest.newBuilder()
        .setName(URLDecoder.decode(
            url.substring(Settings.ENDPOINT.length() + 1, mark), StandardCharsets.UTF_8));
    DocumentMask.Builder mask = DocumentMask.newBuilder();
    for (String parameter : url.substring(mark + 1).split("&", -1)) {
      if (parameter.startsWith("mask.fieldPaths=")) {
        mask.addFieldPaths(parameter.substring("mask.fieldPaths=".length()));
      }
    }
    DocumentTrace trace = trace(DocumentName.parse(get.getName()).path());
    try {
      Document document = operations
          .reads()
          .get(ANYBODY, (mask.getFieldPathsCount() == 0 ? get : get.setMask(mask)).build());
      trace.read(document);
      return document;
    } catch (FirestoreServerException e) {
      if (e.code() == Code.NOT_FOUND) {
        trace.absent();
      }
      throw e;
    }
  }

  private @Nullable Written written() {
    Change change = lastChange;
    if (change == null) {
      return null;
    }
    Document document = change.after();
    if (document == null) {
      throw new Violation("nothing is ever deleted", change.name().path());
    }
    Contents after = Contents.of(document);
    Contents before = documents.put(change.name().path(), after);
    return new Written(
        change.name().path(),
        before == null ? Contents.NONE : before,
        after,
        unusable.remove(change.name().path()));
  }

  static String error(int code, String status, String message) {
    return "{\"error\":{\"code\":" + code + ",\"message\":\""
        + message.replace('"', '\'').replace("\n", " ") + "\",\"status\":\"" + status + "\"}}";
  }

  String date() {
    long second = world.trueMillis() / 1_000;
    if (second != datedSecond) {
      datedSecond = second;
      date = Moments.httpDate(second);
    }
    return date;
  }

  private static int status(Code code) {
    return switch (code) {
      case INVALID_ARGUMENT, FAILED_PRECONDITION -> 400;
      case PERMISSION_DENIED -> 403;
      case NOT_FOUND -> 404;
      case ABORTED, ALREADY_EXISTS -> 409;
      case RESOURCE_EXHAUSTED -> 429;
      default -> 500;
    };
  }
}
