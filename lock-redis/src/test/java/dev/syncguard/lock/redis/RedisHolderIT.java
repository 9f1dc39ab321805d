package dev.syncguard.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.LockId;
import dev.syncguard.lock.spi.LockQuery;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Holders that were away for too long. */
class RedisHolderIT extends OneServer {

  @Test
  void aProcessThatWasStoppedBeyondItsTtlHasLostItsLeaseAndDisturbsNobody() throws Exception {
    Process holder = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            ClassPath.ours(),
            Holder.class.getName(),
            server.url(),
            "report",
            "1500")
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
}
