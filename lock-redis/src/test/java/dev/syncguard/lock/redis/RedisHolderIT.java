package dev.syncguard.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.Lease;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.Time;
import dev.syncguard.lock.spi.LockQuery;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Holders that were away for too long, and holders that do not know what time it is. */
class RedisHolderIT extends OneServer {

  @Test
  void aProcessThatWasStoppedBeyondItsTtlHasLostItsLeaseAndDisturbsNobody() throws Exception {
    Process holder = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            ClassPath.ours(),
            Holder.class.getName(),
            server.url(),
            "report")
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
    try (BufferedReader out = holder.inputReader(StandardCharsets.UTF_8)) {
      // On a slow machine its first lease may have ended before it knew of it.
      long fence = Long.parseLong(out.readLine().replace("fence ", ""));
      signal("STOP", holder.pid());
      LockId next = newId();
      assertThat(RedisProcess.await(() -> isTaken("report", next))).isTrue();
      signal("CONT", holder.pid());
      holder.getOutputStream().write('\n');
      holder.getOutputStream().flush();
      assertThat(out.readLine()).isEqualTo("held false");
      assertThat(out.readLine()).isEqualTo("extended false");
      assertThat(out.readLine()).isEqualTo("released false");
      assertThat(holder.waitFor(1, TimeUnit.MINUTES)).isTrue();
      assertThat(backend
              .lookup(new LockQuery.ById(next), NEVER)
              .orElseThrow()
              .fence()
              .value())
          .isEqualTo(fence + 1);
      assertThat(release(next)).isTrue();
    } finally {
      holder.destroyForcibly().waitFor();
    }
  }

  private static void signal(String name, long pid) throws IOException, InterruptedException {
    Process kill =
        new ProcessBuilder("kill", "-" + name, Long.toString(pid)).inheritIO().start();
    assertThat(kill.waitFor()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {-60, 60})
  void aClockOfTheClientThatIsAnHourOffChangesNothing(int minutes) {
    try (Locks right = Locks.over(backend);
        Locks wrong = Locks.builder(backend)
            .time(new Shifted(Duration.ofMinutes(minutes)))
            .build()) {
      try (Lease lease = wrong.lock("report").ttl(Duration.ofMinutes(1)).acquire()) {
        assertThat(lease.isHeld()).isTrue();
        assertThat(lease.remaining()).isBetween(Duration.ofSeconds(1), Duration.ofMinutes(1));
        assertThat(right.lock("report").tryAcquire()).isEmpty();
        assertThat(lease.extend(Duration.ofMinutes(2))).isTrue();
        assertThat(wrong.isLocked("report")).isTrue();
      }
      try (Lease lease = right.lock("report").ttl(Duration.ofMinutes(1)).acquire()) {
        assertThat(wrong.lock("report").tryAcquire()).isEmpty();
        assertThat(wrong.getByKey("report").orElseThrow().remaining())
            .isBetween(Duration.ofSeconds(1), Duration.ofMinutes(1));
        assertThat(lease.fence().value()).isEqualTo(2);
      }
    }
  }

  private record Shifted(Duration by) implements Time {
    @Override
    public Instant now() {
      return Time.system().now().plus(by);
    }

    @Override
    public long nanos() {
      return Time.system().nanos();
    }

    @Override
    public Signal newSignal() {
      return Time.system().newSignal();
    }
  }
}
