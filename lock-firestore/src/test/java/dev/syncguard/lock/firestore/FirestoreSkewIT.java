package dev.syncguard.lock.firestore;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.firestore.SkewedClient.Reliance;
import dev.syncguard.lock.spi.AcquireResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Processes whose wall clocks differ, and jump while they hold a lock. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class FirestoreSkewIT extends OneFirestore {

  private static final int GRANTS = 2;

  /** Lets us and a skewed client take turns at a key, and returns what each relied on, in the order of the fences. */
  private List<Reliance> takeTurns(String key, SkewedClient other) throws Exception {
    List<Reliance> all = new ArrayList<>();
    other.tell("contend " + key + " " + GRANTS);
    SkewedClient.contend(firestore, backend, key, GRANTS, all::add);
    for (int i = 0; i < GRANTS; i++) {
      all.add(Reliance.parse(other.nextLine()));
    }
    all.sort(Comparator.comparingLong(Reliance::fence));
    return all;
  }

  @Test
  void withinASecondNoTwoProcessesRelyOnOneKeyAndBeyondItTheClockIsBlamed() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(3);
    try (SkewedClient fast = SkewedClient.start(server.emulatorHost(), "+0.9s");
        SkewedClient slow = SkewedClient.start(server.emulatorHost(), "-0.9s");
        SkewedClient tooFast = SkewedClient.start(server.emulatorHost(), "+1.1s")) {
      // Only once everybody is there: on a busy machine one may start a minute after another.
      List.of(fast, slow, tooFast).forEach(client -> client.ask("health"));
      Future<List<Reliance>> behindFast = threads.submit(() -> takeTurns("fast", fast));
      Future<List<Reliance>> behindSlow = threads.submit(() -> takeTurns("slow", slow));
      Future<List<Reliance>> behindTooFast = threads.submit(() -> takeTurns("too-fast", tooFast));
      assertThat(overlaps(behindFast.get())).isEmpty();
      assertThat(overlaps(behindSlow.get())).isEmpty();
      for (Future<List<Reliance>> turns : List.of(behindFast, behindSlow, behindTooFast)) {
        assertThat(turns.get())
            .extracting(Reliance::fence)
            .doesNotHaveDuplicates()
            .hasSize(2 * GRANTS);
        assertThat(disorder(turns.get())).isEmpty();
      }
      // A slow answer proves little, so they may have to ask more than once.
      for (SkewedClient wrong : List.of(fast, slow, tooFast)) {
        assertThat(await(() -> wrong.ask("health").equals("BLOCK"))).isTrue();
      }
      assertThat(backend.clockHealth().level()).isNotEqualTo(ClockHealth.Level.BLOCK);
    } finally {
      threads.shutdownNow();
    }
  }

  /** Returns who relied on a key while somebody else did. */
  private static List<String> overlaps(List<Reliance> turns) {
    List<Reliance> real = turns.stream().filter(turn -> !turn.cameTooLate()).toList();
    List<String> overlaps = new ArrayList<>();
    for (int i = 1; i < real.size(); i++) {
      if (real.get(i).from() - real.get(i - 1).until() < 0) {
        overlaps.add(real.get(i - 1) + " and " + real.get(i));
      }
    }
    return overlaps;
  }

  /** Returns who got a lower fence than somebody who had heard of theirs before the other even asked. */
  private static List<String> disorder(List<Reliance> turns) {
    List<String> disorder = new ArrayList<>();
    for (int i = 1; i < turns.size(); i++) {
      if (turns.get(i).from() - turns.get(i - 1).sent() < 0) {
        disorder.add(turns.get(i - 1) + " and " + turns.get(i));
      }
    }
    return disorder;
  }

  @Test
  void aClockThatJumpsWhileALockIsHeldIsBlamedAndTheLeaseIsDoubted(@TempDir Path directory)
      throws Exception {
    Path offset = directory.resolve("offset");
    Files.writeString(offset, "+0s\n");
    try (SkewedClient jumping = SkewedClient.start(server.emulatorHost(), offset)) {
      for (String jump : List.of("+30s", "-30s")) {
        assertThat(jumping.ask("health")).isNotEqualTo("BLOCK");
        String fence = jumping.ask("acquire " + jump + " PT5M");
        assertThat(jumping.ask("suspect " + jump)).isEqualTo("false");
        Files.writeString(offset, jump + "\n");
        assertThat(jumping.ask("suspect " + jump)).isEqualTo("true");
        assertThat(jumping.ask("health")).isEqualTo("BLOCK");
        // Whatever the holder's clock says now, its lease was written with the right one.
        assertThat(backend.acquire(key(jump), newId(), LONG, NEVER))
            .isInstanceOf(AcquireResult.Contended.class);
        assertThat(jumping.ask("extend " + jump + " PT5M")).isEqualTo("true");
        assertThat(jumping.ask("suspect " + jump)).isEqualTo("false");
        Files.writeString(offset, "+0s\n");
        assertThat(jumping.ask("suspect " + jump)).isEqualTo("true");
        assertThat(jumping.ask("health")).isNotEqualTo("BLOCK");
        assertThat(read(fenceDocument("fence:" + jump)).getString("fence")).isEqualTo(fence);
      }
    }
  }
}
