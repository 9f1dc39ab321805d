package dev.syncguard.lock.firestore;

import com.google.cloud.firestore.Firestore;
import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.Fence;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.ExtendResult;
import dev.syncguard.lock.spi.ReleaseResult;
import dev.syncguard.lock.testkit.history.Confirmed;
import dev.syncguard.lock.testkit.history.Span;
import java.io.BufferedOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** One of several processes that want the same keys. Prints what Firestore confirmed, one line each. */
final class CampaignWorker {

  private static final int THREADS = 16;
  private static final int KEYS = 8;
  private static final Cancellation NEVER = Cancellation.none();

  private final FirestoreLockBackend backend;
  private final AtomicInteger operationsLeft;
  private final PrintStream out;

  private CampaignWorker(FirestoreLockBackend backend, int operations, PrintStream out) {
    this.backend = backend;
    this.operationsLeft = new AtomicInteger(operations);
    this.out = out;
  }

  public static void main(String[] arguments) throws InterruptedException {
    long seed = Long.parseLong(arguments[2]);
    Firestore firestore = LocalFirestore.connect(arguments[0]);
    PrintStream out = new PrintStream(
        new BufferedOutputStream(System.out, 1 << 16), false, StandardCharsets.UTF_8);
    CampaignWorker worker = new CampaignWorker(
        FirestoreLockBackend.over(firestore), Integer.parseInt(arguments[1]), out);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      SplittableRandom random = new SplittableRandom(seed + i);
      threads.add(new Thread(() -> worker.work(random)));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    out.println("done");
    out.flush();
    firestore.shutdownNow();
  }

  private boolean mayGoOn() {
    return operationsLeft.decrementAndGet() >= 0;
  }

  private void work(SplittableRandom random) {
    SecureRandom secure = new SecureRandom();
    while (mayGoOn()) {
      LockKey key = LockKey.of("key " + random.nextInt(KEYS));
      LockId id = LockId.random(secure);
      Ttl ttl = Ttl.ofMillis(random.nextLong(80, 500));
      try {
        if (acquired(key, id, ttl)) {
          use(id, random);
        } else {
          pause(random.nextInt(4));
        }
      } catch (LockException e) {
        if (!e.isRetryable()) {
          throw e;
        }
      }
    }
  }

  private void use(LockId id, SplittableRandom random) {
    int fate = random.nextInt(100);
    if (fate < 2) {
      return; // forgotten: the lease ends by itself
    }
    if (fate < 4) {
      pause(random.nextInt(1_000, 1_600)); // as long as a lease lasts, tolerance included
    }
    if (fate % 3 == 0 && mayGoOn()) {
      Ttl ttl = Ttl.ofMillis(random.nextLong(80, 500));
      Span.Timed<ExtendResult> timed = Span.around(() -> backend.extend(id, ttl, NEVER));
      if (timed.answer() instanceof ExtendResult.Extended ok) {
        print("E", id, ttl.millis(), ok.expiresAt().toEpochMilli(), timed.span());
      }
    }
    if (mayGoOn()) {
      Span.Timed<ReleaseResult> timed = Span.around(() -> backend.release(id, NEVER));
      if (timed.answer() instanceof ReleaseResult.Released) {
        print("R", id, 0, 0, timed.span());
      }
    }
  }

  private boolean acquired(LockKey key, LockId id, Ttl ttl) {
    Span.Timed<AcquireResult> timed = Span.around(() -> backend.acquire(key, id, ttl, NEVER));
    if (timed.answer() instanceof AcquireResult.Acquired ok) {
      print(
          "G " + key.value().replace(' ', '_') + " " + ok.fence().value(),
          id,
          ttl.millis(),
          ok.expiresAt().toEpochMilli(),
          timed.span());
      return true;
    }
    return false;
  }

  private void print(String what, LockId id, long ttl, long expiresAt, Span span) {
    synchronized (out) {
      out.println(what + " " + id.value() + " " + ttl + " " + expiresAt + " " + span.sentNanos()
          + " " + span.answeredNanos());
    }
  }

  private static void pause(long millis) {
    LockSupport.parkNanos(Duration.ofMillis(millis).toNanos());
  }

  /** Returns what a line of a worker tells, or nothing for the line that ends its work. */
  static Optional<Confirmed> read(String line) {
    String[] words = line.split(" ", -1);
    int at = words[0].equals("G") ? 3 : 1;
    if (words.length < at + 5) {
      return Optional.empty();
    }
    LockId id = LockId.parse(words[at]);
    long ttl = Long.parseLong(words[at + 1]);
    Instant expiresAt = Instant.ofEpochMilli(Long.parseLong(words[at + 2]));
    Span span = new Span(Long.parseLong(words[at + 3]), Long.parseLong(words[at + 4]));
    return Optional.of(
        switch (words[0]) {
          case "G" ->
            new Confirmed.Granted(
                LockKey.of(words[1]),
                id,
                new Fence(Long.parseLong(words[2])),
                Ttl.ofMillis(ttl),
                expiresAt,
                span);
          case "E" -> new Confirmed.Extended(id, Ttl.ofMillis(ttl), expiresAt, span);
          default -> new Confirmed.Released(id, span);
        });
  }
}
