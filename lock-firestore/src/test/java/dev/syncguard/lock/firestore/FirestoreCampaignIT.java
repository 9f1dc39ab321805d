package dev.syncguard.lock.firestore;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.testkit.history.Confirmed;
import dev.syncguard.lock.testkit.history.HistoryChecker;
import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Several processes with sixteen threads each want eight keys: no overlap, no repeated fence.
 *
 * <p>A short run by default; {@code -Dsyncguard.campaign.processes=4 -Dsyncguard.campaign.operations=100000} makes it the
 * real thing, and {@code -Dsyncguard.campaign.seed} repeats the choices of a failed run.
 */
class FirestoreCampaignIT extends OneFirestore {

  private static final int PROCESSES = Integer.getInteger("syncguard.campaign.processes", 2);
  private static final int OPERATIONS = Integer.getInteger("syncguard.campaign.operations", 1_000);

  @Test
  @Timeout(value = 60, unit = TimeUnit.MINUTES)
  void noHolderIsEverDisturbedByAnotherProcess() throws Exception {
    long seed = Long.getLong("syncguard.campaign.seed", System.nanoTime());
    List<Process> processes = new ArrayList<>();
    List<Confirmed> history = new ArrayList<>();
    try {
      for (int i = 0; i < PROCESSES; i++) {
        processes.add(JavaProcess.start(
            CampaignWorker.class,
            server.emulatorHost(),
            String.valueOf(OPERATIONS / PROCESSES),
            String.valueOf(seed + 1000L * i)));
      }
      for (Process process : processes) {
        history.addAll(readAll(process));
      }
    } finally {
      processes.forEach(process -> process.destroyForcibly().onExit().join());
    }
    String replay = "Repeat with -Dsyncguard.campaign.seed=" + seed;
    assertThat(HistoryChecker.violations(history)).as(replay).isEmpty();
    assertThat(history).as(replay).hasSizeGreaterThan(OPERATIONS / 20);
  }

  private static List<Confirmed> readAll(Process process) throws Exception {
    List<Confirmed> events = new ArrayList<>();
    try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
      String line = out.readLine();
      for (; line != null && !line.equals("done"); line = out.readLine()) {
        CampaignWorker.read(line).ifPresent(events::add);
      }
      assertThat(line).as("the last line of a worker").isEqualTo("done");
    }
    return events;
  }
}
