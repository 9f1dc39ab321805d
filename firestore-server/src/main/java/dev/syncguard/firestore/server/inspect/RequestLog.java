package dev.syncguard.firestore.server.inspect;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;

/** The latest thousand requests, from when somebody first asks for them. Thread-safe. */
public final class RequestLog {
  static final int MOST = 1000;

  private final InstantSource time;
  private final Deque<RequestEntry> entries = new ArrayDeque<>();
  private volatile boolean recording;
  private long last;

  /** @param recording whether to begin at once instead of when somebody asks */
  public RequestLog(InstantSource time, boolean recording) {
    this.time = time;
    this.recording = recording;
  }

  boolean isRecording() {
    return recording;
  }

  /** Begins to remember, and returns the present revision. */
  synchronized long start() {
    recording = true;
    return last;
  }

  synchronized long revision() {
    return last;
  }

  synchronized RequestEntry begin(String method, String caller, String path) {
    RequestEntry entry = new RequestEntry(++last, time.instant(), method, caller, path);
    entries.add(entry);
    if (entries.size() > MOST) {
      entries.remove();
    }
    return entry;
  }

  synchronized void answered(RequestEntry entry, String status, long nanos) {
    entry.isAnswered(status, nanos, ++last);
  }

  /** Returns the requests that were made or answered after a revision, and the revision to ask with next. */
  synchronized ObjectNode since(long revision) {
    boolean before = recording;
    recording = true;
    ObjectNode node = JsonNodeFactory.instance.objectNode();
    node.put("revision", last).put("recordedBefore", before).put("most", MOST);
    ArrayNode array = node.putArray("requests");
    entries.stream()
        .filter(entry -> entry.revision() > revision)
        .forEach(entry -> array.add(entry.json()));
    return node;
  }
}
