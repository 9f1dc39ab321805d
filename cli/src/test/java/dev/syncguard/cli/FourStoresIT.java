package dev.syncguard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.FirestoreOptions;
import dev.syncguard.firestore.server.FirestoreServer;
import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockInfoDebug;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.firestore.FirestoreLockBackend;
import dev.syncguard.lock.jdbc.PostgresLockBackend;
import dev.syncguard.lock.jdbc.SqliteLockBackend;
import dev.syncguard.lock.redis.RedisLockBackend;
import dev.syncguard.lock.spi.AcquireResult;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.spi.LockQuery;
import dev.syncguard.lock.spi.WaitingLine;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import redis.embedded.RedisServer;

/** One story, told to all four stores: every answer is the same. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FourStoresIT {

  private static final Cancellation NEVER = Cancellation.none();
  private static final Ttl LONG = Ttl.ofMillis(600_000);
  private static final Ttl SHORT = Ttl.ofMillis(150);
  private static final Duration BEYOND_SHORT = Duration.ofMillis(1_200);

  private final Map<String, LockBackend> stores = new LinkedHashMap<>();
  private RedisServer redis;
  private EmbeddedPostgres postgres;
  private FirestoreServer firestoreServer;
  private Firestore firestore;

  @BeforeAll
  void open(@TempDir Path directory) throws Exception {
    stores.put("sqlite", SqliteLockBackend.open(directory.resolve("locks.db")));

    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    redis = RedisServer.newRedisServer()
        .port(port)
        .setting("bind 127.0.0.1")
        .setting("save \"\"")
        .build();
    redis.start();
    stores.put("redis", RedisLockBackend.connect("redis://127.0.0.1:" + port));

    postgres = EmbeddedPostgres.start();
    PostgresLockBackend onPostgres = PostgresLockBackend.over(postgres.getPostgresDatabase());
    onPostgres.setupSchema();
    stores.put("postgres", onPostgres);

    firestoreServer = FirestoreServer.builder().strictIndexes(true).start();
    firestore = FirestoreOptions.newBuilder()
        .setProjectId("demo-four-stores")
        .setEmulatorHost(firestoreServer.emulatorHost())
        .build()
        .getService();
    // Google's client does much for its first request, which takes long on a busy machine.
    stores.put(
        "firestore",
        FirestoreLockBackend.builder(firestore).timeout(Duration.ofMinutes(2)).build());
  }

  @AfterAll
  void close() throws Exception {
    stores.values().forEach(LockBackend::close);
    firestore.close();
    firestoreServer.close();
    postgres.close();
    redis.stop();
  }

  @Test
  void aWrittenStoryIsAnsweredAlike() {
    assertSame(new Story() {
      @Override
      public void tell(Teller teller) {
        for (String key : List.of("plain", "a/b", ".", "__x__", "fence:plain", "日本 😀", "é")) {
          teller.acquire(key, 0, LONG);
          teller.acquire(key, 0, SHORT);
          teller.acquire(key, 1, LONG);
          teller.isLocked(key);
          teller.lookUp(key);
          teller.lookUp(0);
          teller.extend(1, LONG);
          teller.release(1);
          teller.extend(0, LONG);
          teller.handOver(key, 0, 2);
          teller.handOver(key, 0, 3);
          teller.release(0);
          teller.extend(2, LONG);
          teller.release(2);
          teller.release(2);
          teller.isLocked(key);
          teller.lookUp(2);
          teller.acquire(key, 3, LONG);
          teller.release(3);
          teller.freshIds();
        }
        teller.acquire("ending", 0, SHORT);
        teller.acquire("stretched", 1, SHORT);
        teller.extend(1, LONG);
        teller.pass(BEYOND_SHORT);
        teller.isLocked("ending");
        teller.lookUp(0);
        teller.extend(0, LONG);
        teller.release(0);
        teller.acquire("ending", 2, LONG);
        teller.acquire("ending", 0, LONG);
        teller.release(0);
        teller.acquire("stretched", 3, LONG);
        teller.release(1);
        teller.release(2);
      }
    });
  }

  @Test
  void randomStoriesAreAnsweredAlike() {
    long seed = Long.getLong("syncguard.stories.seed", System.nanoTime());
    try {
      assertSame(teller -> {
        SplittableRandom random = new SplittableRandom(seed);
        for (int step = 0; step < 300; step++) {
          // Each id is for one key only.
          int id = random.nextInt(6);
          String key = "random " + id % 2;
          switch (random.nextInt(9)) {
            case 0, 1, 2 -> teller.acquire(key, id, LONG);
            case 3 -> teller.extend(id, LONG);
            case 4, 5 -> teller.release(id);
            case 6 -> teller.isLocked(key);
            case 7 -> teller.lookUp(key);
            default -> teller.lookUp(id);
          }
        }
      });
    } catch (AssertionError e) {
      throw new AssertionError(
          "Repeat with -Dsyncguard.stories.seed=" + seed + ": " + e.getMessage(), e);
    }
  }

  private interface Story {
    void tell(Teller teller);
  }

  private void assertSame(Story story) {
    Map<String, List<String>> answers = new LinkedHashMap<>();
    stores.forEach((name, store) -> {
      Teller teller = new Teller(store);
      story.tell(teller);
      answers.put(name, teller.answers);
    });
    List<String> expected = answers.get("sqlite");
    assertThat(expected).isNotEmpty();
    answers.forEach((name, given) -> assertThat(given).as(name).isEqualTo(expected));
  }

  /** Puts calls to one store and notes the answers, without what differs from run to run. */
  private static final class Teller {
    final List<String> answers = new ArrayList<>();
    private final LockBackend store;
    private final SecureRandom random = new SecureRandom();
    private List<LockId> ids = List.of();

    Teller(LockBackend store) {
      this.store = store;
      freshIds();
    }

    void freshIds() {
      ids = IntStream.range(0, 6).mapToObj(i -> LockId.random(random)).toList();
    }

    void pass(Duration time) {
      LockSupport.parkNanos(time.toNanos());
    }

    void acquire(String key, int id, Ttl ttl) {
      note(
          "acquire " + key + " " + id,
          () -> store.acquire(LockKey.of(key), ids.get(id), ttl, NEVER));
    }

    void release(int id) {
      note("release " + id, () -> store.release(ids.get(id), NEVER));
    }

    void extend(int id, Ttl ttl) {
      note("extend " + id, () -> store.extend(ids.get(id), ttl, NEVER));
    }

    void isLocked(String key) {
      note("isLocked " + key, () -> store.isLocked(LockKey.of(key), NEVER));
    }

    void lookUp(String key) {
      note("lookup " + key, () -> store.lookupRaw(new LockQuery.ByKey(LockKey.of(key)), NEVER));
    }

    void lookUp(int id) {
      note("lookup " + id, () -> store.lookupRaw(new LockQuery.ById(ids.get(id)), NEVER));
    }

    void handOver(String key, int from, int to) {
      note("hand over " + key + " " + from + " " + to, () -> {
        try (WaitingLine.Place place =
            store.waitingLine().orElseThrow().join(LockKey.of(key), ids.get(to), () -> {})) {
          return place.takeOver(ids.get(from), LONG);
        }
      });
    }

    private void note(String call, Supplier<Object> asked) {
      String answer;
      try {
        answer = withoutTimes(asked.get());
      } catch (LockException e) {
        answer = "failure " + e.code();
      }
      answers.add(call + " -> " + answer);
    }

    private String withoutTimes(Object answer) {
      if (answer instanceof AcquireResult.Acquired acquired) {
        return "Acquired " + acquired.fence();
      }
      if (answer instanceof Optional<?> found) {
        return found
            .map(lock -> (LockInfoDebug) lock)
            .map(lock -> lock.key().value() + " " + ids.indexOf(lock.lockId()) + " " + lock.fence())
            .orElse("nothing");
      }
      return answer instanceof Boolean ? answer.toString() : answer.getClass().getSimpleName();
    }
  }
}
