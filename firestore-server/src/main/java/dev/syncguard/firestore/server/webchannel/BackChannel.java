package dev.syncguard.firestore.server.webchannel;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * What a client is told: numbered messages, which go out on whatever request the client leaves hanging, and are kept until
 * it acknowledges them. Numbers only grow on the wire; gaps do no harm. Guarded by its session.
 */
final class BackChannel {
  /** A client gives up on a request that is silent for one and a half times as long. */
  static final Duration NOOP_AFTER = Duration.ofSeconds(30);

  private static final Duration STREAM_FOR = Duration.ofSeconds(60);
  private static final Duration STALLED_AFTER = Duration.ofSeconds(60);
  /** Clients acknowledge with their next request, so one must not carry too much. */
  private static final int MAX_BYTES_PER_POLL = 512 << 10;

  private static final int FRAME_BYTES = 64 << 10;

  /** A request that hangs, and that can be answered bit by bit. */
  interface Poll {
    /** Sends a frame, and tells the session when the network has taken it. */
    void write(String frame);

    void end();
  }

  private record Outgoing(long id, String json) {}

  private final Deque<Outgoing> kept = new ArrayDeque<>();
  private long bytes;
  private long lastId;
  /** The last one on the present poll; those after it are still to be sent. */
  private long sent;

  private long everSent;
  private @Nullable Poll poll;
  private boolean longPolling;
  private boolean writing;
  private long writtenOnPoll;
  private long endPollAt;
  private long lastWrite;
  private long absentSince;

  BackChannel(long now) {
    this.absentSince = now;
  }

  void add(String json) {
    lastId++;
    kept.add(new Outgoing(lastId, json));
    bytes += json.length();
  }

  /** Forgets what the client says that it has, of what it can have. */
  void acknowledge(long id) {
    while (!kept.isEmpty() && kept.peek().id <= Math.min(id, everSent)) {
      bytes -= kept.remove().json.length();
    }
  }

  /** Answers on another request from now on; the one before is ended. */
  void open(Poll next, boolean isLong, Duration patience, long acknowledged, long now) {
    end(now);
    acknowledge(acknowledged);
    sent = Math.min(Math.max(acknowledged, 0), everSent);
    poll = next;
    longPolling = isLong;
    writing = false;
    writtenOnPoll = 0;
    lastWrite = now;
    endPollAt = now + (isLong ? patience : STREAM_FOR).toNanos();
    pump(now);
    if (!isLong && writtenOnPoll == 0) {
      noop(now); // a client that hears nothing at once takes the network for one that buffers
    }
  }

  /** Sends what there is, if the network has taken what was sent before. */
  void pump(long now) {
    Poll open = poll;
    if (open == null || writing || sent == lastId) {
      return;
    }
    StringBuilder arrays = new StringBuilder("[");
    Iterator<Outgoing> all = kept.iterator();
    while (all.hasNext() && arrays.length() < FRAME_BYTES) {
      Outgoing next = all.next();
      if (next.id > sent) {
        arrays.append(arrays.length() > 1 ? "," : "");
        arrays.append('[').append(next.id).append(",[").append(next.json).append("]]");
        sent = next.id;
      }
    }
    if (arrays.length() > 1) {
      write(open, arrays.append(']'), now);
    }
  }

  private void noop(long now) {
    Poll open = poll;
    if (open != null && !writing) {
      lastId++;
      sent = lastId;
      write(open, new StringBuilder("[[").append(lastId).append(",[\"noop\"]]]"), now);
    }
  }

  private void write(Poll open, StringBuilder arrays, long now) {
    everSent = Math.max(everSent, sent);
    writing = true;
    writtenOnPoll += arrays.length();
    lastWrite = now;
    open.write(ChannelFrames.of(arrays));
  }

  /** The network has taken what was written. */
  void taken(Poll by, long now) {
    if (poll != by) {
      return;
    }
    writing = false;
    if (writtenOnPoll >= MAX_BYTES_PER_POLL || (longPolling && sent == lastId)) {
      end(now);
    } else {
      pump(now);
    }
  }

  /** The client has given up on a request, or read it to its end. */
  void closed(Poll by, long now) {
    if (poll == by) {
      end(now);
    }
  }

  void end(long now) {
    Poll ended = poll;
    if (ended != null) {
      poll = null;
      absentSince = now;
      ended.end();
    }
  }

  /** Breaks the silence, and ends a request that has hung for long enough. */
  void tick(long now) {
    if (poll == null || writing) {
      return;
    }
    boolean over = now - endPollAt >= 0;
    if (longPolling && over) {
      noop(now); // after which it ends
    } else if (over) {
      end(now);
    } else if (!longPolling && now - lastWrite >= NOOP_AFTER.toNanos()) {
      noop(now);
    }
  }

  boolean isPresent() {
    return poll != null;
  }

  /** Returns since when the client has left no request hanging. */
  long absentSince() {
    return absentSince;
  }

  /** Returns whether a client takes nothing of what it has asked for. */
  boolean isStalled(long now) {
    return poll != null && writing && now - lastWrite >= STALLED_AFTER.toNanos();
  }

  /** Returns the number of the last message on the wire. */
  long lastSent() {
    return everSent;
  }

  /** Returns about how much memory is used. */
  long bytes() {
    return bytes;
  }

  void clear() {
    kept.clear();
    bytes = 0;
  }
}
