package dev.syncguard.lock.firestore;

import com.google.cloud.firestore.Firestore;
import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.Lease;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.AcquireResult;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** A client in a process of its own, whose wall clock is wrong while its monotonic clock is right. */
final class SkewedClient implements AutoCloseable {

  private static final Ttl TTL = Ttl.ofMillis(300);
  private static final Duration LONGEST_CONTEST = Duration.ofMinutes(3);

  private final Process process;
  private final BufferedReader answers;

  private SkewedClient(Process process) {
    this.process = process;
    this.answers = process.inputReader(StandardCharsets.UTF_8);
  }

  /** Starts a client whose clock is off by a text such as {@code +0.9s}. */
  static SkewedClient start(String emulatorHost, String offset) throws IOException {
    Map<String, String> environment = new HashMap<>(fake());
    environment.put("FAKETIME", offset);
    return new SkewedClient(JavaProcess.start(environment, SkewedClient.class, emulatorHost));
  }

  /** Starts a client whose clock is off by whatever the file says at the moment. */
  static SkewedClient start(String emulatorHost, Path offset) throws IOException {
    Map<String, String> environment = new HashMap<>(fake());
    environment.put("FAKETIME_TIMESTAMP_FILE", offset.toString());
    environment.put("FAKETIME_NO_CACHE", "1");
    return new SkewedClient(JavaProcess.start(environment, SkewedClient.class, emulatorHost));
  }

  private static Map<String, String> fake() throws IOException {
    // Without the last of the three, timed waits return at once.
    return Map.of(
        "LD_PRELOAD", library().toString(),
        "FAKETIME_DONT_FAKE_MONOTONIC", "1",
        "FAKETIME_FORCE_MONOTONIC_FIX", "0");
  }

  private static Path library() throws IOException {
    try (Stream<Path> architectures = Files.list(Path.of("/usr/lib"))) {
      return architectures
          .map(path -> path.resolve("faketime/libfaketimeMT.so.1"))
          .filter(Files::exists)
          .findFirst()
          .orElseThrow(() -> new IllegalStateException(
              "libfaketime is missing; install it with: apt-get install faketime"));
    }
  }

  /** Sends a command and returns the one line that answers it. */
  String ask(String command) {
    try {
      tell(command);
      return nextLine();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void tell(String command) throws IOException {
    process.getOutputStream().write((command + "\n").getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().flush();
  }

  String nextLine() throws IOException {
    String line = answers.readLine();
    if (line == null) {
      throw new IllegalStateException("The client has ended");
    }
    return line;
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }

  /**
   * What a holder relied on, by a clock that all processes of this machine share.
   *
   * @param from when it heard that the key is its own
   * @param until when its ttl was over, counted from before it asked
   */
  record Reliance(long fence, long from, long until) {
    long sent() {
      return until - TTL.duration().toNanos();
    }

    /** Returns whether its time was over when the holder heard of it, so that it never relied on anything. */
    boolean cameTooLate() {
      return from - until >= 0;
    }

    static Reliance parse(String line) {
      String[] words = line.split(" ", -1);
      return new Reliance(
          Long.parseLong(words[0]), Long.parseLong(words[1]), Long.parseLong(words[2]));
    }

    @Override
    public String toString() {
      return fence + " " + from + " " + until;
    }
  }

  /** Takes a key so many times, keeps each lease to its end, and lets somebody else come in between. */
  static void contend(
      Firestore firestore,
      FirestoreLockBackend backend,
      String key,
      int times,
      Consumer<Reliance> told) {
    SecureRandom random = new SecureRandom();
    long start = System.nanoTime();
    for (int taken = 0; taken < times; ) {
      long sent = System.nanoTime();
      if (sent - start > LONGEST_CONTEST.toNanos()) {
        throw new IllegalStateException("Nobody else takes turns at " + key);
      }
      AcquireResult result =
          backend.acquire(LockKey.of(key), LockId.random(random), TTL, Cancellation.none());
      if (result instanceof AcquireResult.Acquired acquired) {
        told.accept(new Reliance(
            acquired.fence().value(), System.nanoTime(), sent + TTL.duration().toNanos()));
        taken++;
        awaitOther(firestore, key, acquired.fence().text(), taken == times);
      } else {
        LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
      }
    }
  }

  private static void awaitOther(Firestore firestore, String key, String fence, boolean last) {
    var counter = firestore.collection("fence_counters").document("fence:" + key);
    long start = System.nanoTime();
    while (!last
        && System.nanoTime() - start < LONGEST_CONTEST.toNanos()
        && fence.equals(Documents.get(firestore, counter).getString("fence"))) {
      LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
    }
  }

  public static void main(String[] arguments) throws IOException {
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    Firestore firestore = LocalFirestore.connect(arguments[0]);
    FirestoreLockBackend backend =
        FirestoreLockBackend.builder(firestore).allowUnsafeClock().build();
    Locks locks = Locks.over(backend);
    Map<String, Lease> held = new HashMap<>();
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String[] words = line.split(" ", -1);
      switch (words[0]) {
        case "contend" ->
          contend(firestore, backend, words[1], Integer.parseInt(words[2]), System.out::println);
        case "acquire" -> {
          Lease lease = locks.lock(words[1]).ttl(Duration.parse(words[2])).acquire();
          held.put(words[1], lease);
          System.out.println(lease.fence());
        }
        case "extend" ->
          System.out.println(
              Objects.requireNonNull(held.get(words[1])).extend(Duration.parse(words[2])));
        case "suspect" ->
          System.out.println(backend.isSuspect(Objects.requireNonNull(held.get(words[1]))));
        case "health" -> {
          backend.isLocked(LockKey.of("nothing"), Cancellation.none());
          System.out.println(backend.clockHealth().level());
        }
        default -> throw new IllegalArgumentException(line);
      }
    }
  }
}
