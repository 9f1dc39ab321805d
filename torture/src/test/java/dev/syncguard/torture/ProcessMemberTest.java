package dev.syncguard.torture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.torture.history.Event;
import dev.syncguard.torture.history.Event.Asked;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 1, unit = TimeUnit.MINUTES)
class ProcessMemberTest {

  /** More than the buffers between the process and its listener hold, and less than a pipe does. */
  private static final int EVENTS = 1000;

  @Test
  void whatAWorkerSaidBeforeItWasKilledIsHeard(@TempDir Path directory) throws Exception {
    Path said = directory.resolve("said");
    Path script = directory.resolve("worker.sh");
    Files.writeString(script, """
        for i in $(seq %d); do printf 'asked\\t1\\tkey\\t%%d\\t0\\ttrue\\n' $i; done
        touch '%s'
        sleep 100
        """.formatted(EVENTS, said));
    Ledger ledger = new Ledger();
    ProcessMember member;
    CompletableFuture<Void> killed;
    // As on a busy machine: whoever listens has not got round to it when the worker is killed.
    synchronized (ledger) {
      member = ProcessMember.start(
          List.of("sh", script.toString()), Map.of(), Optional.empty(), 1, ledger);
      while (!Files.exists(said)) {
        TimeUnit.MILLISECONDS.sleep(10);
      }
      killed = CompletableFuture.runAsync(member::kill);
      while (member.isAlive()) {
        TimeUnit.MILLISECONDS.sleep(10);
      }
      // Whatever else a kill does to the process is done by then.
      TimeUnit.MILLISECONDS.sleep(100);
    }
    killed.join();
    List<Event> heard = ledger.history();
    assertThat(heard).hasSize(EVENTS);
    assertThat(heard.get(EVENTS - 1)).isEqualTo(new Asked(1, "key", EVENTS, 0, true));
  }
}
