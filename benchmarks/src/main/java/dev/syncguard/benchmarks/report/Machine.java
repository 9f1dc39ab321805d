package dev.syncguard.benchmarks.report;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What a reader has to know about the machine, without saying whose it is. */
public final class Machine {

  private final OperatingSystemMXBean system =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
  private final double busyBefore;

  /** Looks for a second how busy others keep the machine. */
  public Machine() throws InterruptedException {
    system.getCpuLoad();
    Thread.sleep(1_000);
    busyBefore = system.getCpuLoad();
  }

  /** Returns the facts; {@code store} is where the files of the benchmarks were. */
  public List<String> facts(Path store) throws IOException {
    return List.of(
        system.getAvailableProcessors() + " cores, " + gigabytes(system.getTotalMemorySize())
            + " GB of memory, " + System.getProperty("os.name") + " "
            + System.getProperty("os.arch") + ", " + Files.getFileStore(store).type()
            + " on the disk",
        System.getProperty("java.vm.name") + " " + System.getProperty("java.version"),
        "Before it began, other programs used " + Numbers.percent(busyBefore) + " of the processors"
            + (busyBefore < 0.1 ? "" : ", so trust ratios more than absolute figures"));
  }

  private static long gigabytes(long bytes) {
    return Math.round(bytes / 1e9);
  }
}
