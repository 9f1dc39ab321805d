package dev.syncguard.firestore.server.inspect;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** One request as it is remembered: without its token, without what it wrote or was told. Thread-safe. */
final class RequestEntry {
  private static final int LONGEST = 300;

  private final long number;
  private final Instant at;
  private final String method;
  private final String caller;
  private String path;
  private String database = "";
  private boolean named;
  private boolean denied;
  private @Nullable ArrayNode steps;
  private String message = "";
  private String status = "";
  private long nanos = -1;
  private long revision;

  /** @param path the address, until more is known */
  RequestEntry(long number, Instant at, String method, String caller, String path) {
    this.number = number;
    this.revision = number;
    this.at = at;
    this.method = method;
    this.caller = shortened(caller);
    this.path = shortened(path);
  }

  /** Says what it is about, of which only the first is kept. */
  synchronized void isAbout(String inDatabase, String what) {
    if (!named) {
      named = true;
      database = inDatabase;
      path = shortened(what);
    }
  }

  synchronized void isDenied(String why) {
    denied = true;
    message = shortened(why.strip());
  }

  synchronized void isExplainedBy(ArrayNode reasons) {
    steps = reasons;
  }

  synchronized void isAnswered(String withStatus, long afterNanos, long newRevision) {
    status = withStatus;
    nanos = afterNanos;
    revision = newRevision;
  }

  synchronized long revision() {
    return revision;
  }

  synchronized ObjectNode json() {
    ObjectNode node = JsonNodeFactory.instance
        .objectNode()
        .put("number", number)
        .put("at", at.toEpochMilli())
        .put("method", method)
        .put("caller", caller)
        .put("database", database)
        .put("path", path)
        .put("denied", denied)
        .put("message", message)
        .put("status", status);
    if (nanos >= 0) {
      node.put("millis", nanos / 1e6);
    }
    if (steps != null) {
      node.set("steps", steps);
    }
    return node;
  }

  private static String shortened(String text) {
    return text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "…";
  }
}
