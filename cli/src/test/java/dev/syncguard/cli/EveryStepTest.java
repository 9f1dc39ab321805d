package dev.syncguard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.cli.RealProgram.Running;
import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.jdbc.SqliteLockBackend;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.spi.LockQuery;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Wherever {@code syncguard run} is killed or suspended, its command does not outlive the lease. */
@Tag("slow")
class EveryStepTest {

  private static final List<String> SIGNALS = List.of("KILL", "STOP");
  private static final int AT_ONCE = 4;

  /** Writes down that it lives, until it is told to finish, and does not mind being asked to end. */
  private static final String PULSE = """
      #!/bin/bash
      trap '' TERM HUP
      exec 7<> <(:)
      while [[ ! -e finish ]]; do
        echo "${EPOCHREALTIME%???}" >>"pulse.$1"
        read -r -t 0.05 -u 7
      done
      """;

  /** A command with helpers in its process group, in one of their own, and in a session of their own. */
  private static final String COMMAND = """
      trap '' TERM HUP
      ./pulse group &
      timeout 1000 ./pulse own-group &
      setsid ./pulse own-session &
      ./pulse leader
      wait
      """;

  @Test
  void theCommandIsGoneBeforeItsLeaseEnds() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE * SIGNALS.size());
    try {
      for (int first = 1; ; first += AT_ONCE) {
        List<Future<Boolean>> batch = new ArrayList<>();
        for (int step = first; step < first + AT_ONCE; step++) {
          for (String signal : SIGNALS) {
            int number = step;
            batch.add(threads.submit(() -> strike(signal, number)));
          }
        }
        boolean struck = true;
        SoftAssertions all = new SoftAssertions();
        for (Future<Boolean> one : batch) {
          try {
            struck &= one.get();
          } catch (ExecutionException e) {
            all.fail(String.valueOf(e.getCause()), e);
          }
        }
        all.assertAll();
        if (!struck) {
          assertThat(first).as("hardly any step was reached").isGreaterThan(8);
          return;
        }
      }
    } finally {
      threads.shutdownNow();
    }
  }

  /** Returns whether there was such a step. */
  private static boolean strike(String signal, int step) throws Exception {
    try (RealProgram program = new RealProgram().open()) {
      Path pulse = Files.writeString(program.file("pulse"), PULSE);
      assertThat(pulse.toFile().setExecutable(true)).isTrue();
      List<String> line = new ArrayList<>(RealProgram.java(StruckAtStep.class));
      line.addAll(List.of(signal, Integer.toString(step)));
      line.addAll(List.of("run", "--ttl", "6s", "--kill-after", "300ms", "demo", "--"));
      line.addAll(List.of("bash", "-c", COMMAND));
      Running running = program.startCommand(line);
      Path struck = program.file("struck");
      RealProgram.await(
          "step " + step, () -> Files.exists(struck) || !running.process().isAlive());
      if (!Files.exists(struck)) {
        assertThat(running.answer()).isEqualTo(new Answer(0, "", ""));
        return false;
      }
      String where = signal + " at step " + step + ", " + Files.readString(struck);
      long struckAt = System.currentTimeMillis();
      long end = leaseEnd(program.store()).orElse(struckAt);
      RealProgram.await("the lease ends", () -> System.currentTimeMillis() > end + 500);
      assertNobodyLivedAt(end, program, where);
      if (signal.equals("STOP")) {
        RealProgram.kill("CONT", running.pid());
        assertThat(running.answer().exitCode()).as(where + ", then continued").isIn(0, 69);
        assertNobodyLivedAt(end, program, where + ", then continued");
      }
      return true;
    }
  }

  private static OptionalLong leaseEnd(Path store) {
    try (LockBackend backend = SqliteLockBackend.open(store)) {
      return backend
          .lookup(new LockQuery.ByKey(LockKey.of("demo")), Cancellation.none())
          .map(lock -> OptionalLong.of(lock.expiresAt().toEpochMilli()))
          .orElse(OptionalLong.empty());
    }
  }

  private static void assertNobodyLivedAt(long end, RealProgram program, String where)
      throws IOException {
    try (Stream<Path> files = Files.list(program.file("."))) {
      for (Path file : files.filter(one -> one.toString().contains("pulse.")).toList()) {
        List<String> pulses = Files.readAllLines(file);
        assertThat(Long.parseLong(pulses.get(pulses.size() - 1).replaceAll("[.,]", "")))
            .as(where + ": " + file.getFileName())
            .isLessThan(end);
      }
    }
  }
}
