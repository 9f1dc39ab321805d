package dev.syncguard.firestore.server.webchannel;

import com.google.protobuf.Message;
import com.google.rpc.Code;
import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.rest.HttpErrors;
import dev.syncguard.firestore.server.rest.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * One stream of one client over many requests. Messages of the client are handed to the stream one at a time, and a request
 * that carries them is answered when it has taken them: who sends faster than that has to wait. What the stream says is kept
 * until the client has acknowledged it, and the stream pauses while that is too much. Thread-safe; nothing here waits.
 */
final class Session {
  /** How much may be under way to a client before the stream pauses. */
  private static final int WINDOW_BYTES = 1 << 20;
  /** Longer than a tab in the background may take to come back. */
  private static final Duration ABSENCE = Duration.ofSeconds(75);

  private static final Duration FIRST_ABSENCE = Duration.ofSeconds(45);
  /** How long a client may take to fetch the last words. */
  private static final Duration EPILOGUE = Duration.ofSeconds(30);

  /** Whose session it is: requests that say anything else know its id from somewhere they should not. */
  record Binding(String path, String database, String origin) {
    /** @param other of a later request; not all of them say where they come from */
    boolean admits(Binding other) {
      return path.equals(other.path)
          && database.equals(other.database)
          && (other.origin.isEmpty() || other.origin.equals(origin));
    }
  }

  private record Waiting(long upTo, CompletableFuture<String> answer) {}

  private final String id;
  private final Binding binding;
  private final SharedBytes shared;
  private final LongSupplier nanos;
  private final BackChannel back;
  private final ForwardChannel forward = new ForwardChannel();
  private final List<Waiting> waiting = new ArrayList<>();
  private ChannelStream stream = ChannelStream.NONE;
  private boolean listening;
  private boolean visited;
  private boolean failed;
  private boolean over;
  private long failedAt;
  private long counted;

  Session(String id, Binding binding, SharedBytes shared, LongSupplier nanos) {
    this.id = id;
    this.binding = binding;
    this.shared = shared;
    this.nanos = nanos;
    this.back = new BackChannel(nanos.getAsLong());
  }

  String id() {
    return id;
  }

  Binding binding() {
    return binding;
  }

  /** Lets a stream have what the client says. */
  void start(Function<Session, ChannelStream> opener) {
    ChannelStream opened = opener.apply(this);
    synchronized (this) {
      stream = opened;
      listening = !failed;
      if (over) {
        opened.close();
      }
    }
    handOver();
  }

  /**
   * Takes messages by their numbers, and returns the answer to the request that brought them. Refuses more than there is room
   * for; then the session must be closed.
   */
  CompletableFuture<String> receive(long acknowledged, Map<Long, String> messages) {
    CompletableFuture<String> answer = new CompletableFuture<>();
    synchronized (this) {
      back.acknowledge(acknowledged);
      boolean room = forward.bytes() == 0 ? shared.hasReserve(0) : shared.hasRoom(0);
      long upTo = 0;
      for (Map.Entry<Long, String> message : messages.entrySet()) {
        if (!failed && !over && !forward.add(message.getKey(), message.getValue())) {
          throw new IllegalArgumentException("too many messages are missing before this one");
        }
        upTo = Math.max(upTo, message.getKey() + 1);
      }
      count();
      // A request that waits for its messages to be taken is counted as one. What it leaves behind
      // when
      // it ends, or what others are missing before, is counted only here.
      if (forward.bytes() > 0 && !(room && (shared.hasRoom(0) || !forward.isMissingSome()))) {
        throw new FirestoreServerException(
            Code.UNAVAILABLE, "The server keeps too much for web channels; try again later.");
      }
      // What others are missing before is kept, and does not hold up the request: one of those may
      // be part of the next.
      waiting.add(new Waiting(Math.min(upTo, forward.arrived()), answer));
    }
    resume();
    return answer;
  }

  /** Answers on this request from now on. */
  synchronized void open(
      BackChannel.Poll poll, boolean isLong, Duration patience, long acknowledged) {
    if (over) {
      poll.end();
      return;
    }
    visited = true;
    back.open(poll, isLong, patience, acknowledged, nanos.getAsLong());
    count();
    resume();
  }

  synchronized void taken(BackChannel.Poll poll) {
    back.taken(poll, nanos.getAsLong());
  }

  synchronized void closed(BackChannel.Poll poll) {
    back.closed(poll, nanos.getAsLong());
  }

  /** Tells the client. */
  void send(Message message) {
    tell(Json.printCompact(message));
  }

  private void tell(String json) {
    String ascii = ChannelFrames.ascii(json);
    synchronized (this) {
      if (!failed && !over) {
        back.add(ascii);
        count();
        back.pump(nanos.getAsLong());
      }
    }
  }

  /** Returns whether the client has taken enough of what it was told. What it has sent itself only gets less by going on. */
  synchronized boolean isReady() {
    long aside = forward.bytes();
    return over
        || (back.bytes() == 0 && shared.hasReserve(aside))
        || (back.bytes() < WINDOW_BYTES && shared.hasRoom(aside));
  }

  /** Lets the next message of the client come. */
  void requestNext() {
    synchronized (this) {
      listening = true;
    }
    handOver();
  }

  /** Tells the client why there will be nothing more. */
  void fail(Throwable cause) {
    tell(HttpErrors.body(cause));
    synchronized (this) {
      if (!failed) {
        failed = true;
        failedAt = nanos.getAsLong();
        forward.clear();
        count();
      }
    }
    handOver();
  }

  private void resume() {
    stream().ready();
    handOver();
  }

  private synchronized ChannelStream stream() {
    return stream;
  }

  /** Gives the stream the next message if it wants one, and answers the requests that have nothing left to give. */
  private synchronized void handOver() {
    if (listening && isReady()) {
      String next = forward.take();
      while (next != null && next.isEmpty()) {
        next = forward.take(); // a number that its client has used for nothing
      }
      if (next != null) {
        listening = false;
        count();
        stream.request(next);
      }
    }
    waiting.removeIf(request -> {
      boolean done = failed || over || request.upTo <= forward.taken();
      if (done) {
        request.answer.complete(state());
      }
      return done;
    });
  }

  /** Returns what the client wants to know with each answer: whether a request hangs, and what was sent on it. */
  private String state() {
    return ChannelFrames.of(
        "[" + (back.isPresent() ? 1 : 0) + "," + back.lastSent() + "," + back.bytes() + "]");
  }

  /** Does what is due by now, and returns whether the session goes on. */
  boolean tick() {
    long now = nanos.getAsLong();
    synchronized (this) {
      back.tick(now);
      Duration absence = visited ? ABSENCE : FIRST_ABSENCE;
      boolean gone = !back.isPresent() && now - back.absentSince() >= absence.toNanos();
      boolean told = failed && now - failedAt >= EPILOGUE.toNanos();
      if (over || gone || told || back.isStalled(now)) {
        return false;
      }
    }
    resume(); // there may be room again, because others have gone
    return true;
  }

  /** Returns since when nobody would miss the session, or the largest number if somebody would. */
  synchronized long absentSince() {
    return back.isPresent() ? Long.MAX_VALUE : back.absentSince();
  }

  /** Ends it, with all that it has kept. */
  void close() {
    synchronized (this) {
      over = true;
      back.end(nanos.getAsLong());
      back.clear();
      forward.clear();
      count();
    }
    stream().close();
    handOver();
  }

  private void count() {
    long now = back.bytes() + forward.bytes();
    shared.add(now - counted);
    counted = now;
  }
}
