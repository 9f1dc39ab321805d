package dev.syncguard.benchmarks.firestore;

import dev.syncguard.benchmarks.LoadTable;
import dev.syncguard.benchmarks.Topic;
import dev.syncguard.benchmarks.measure.Load;
import dev.syncguard.benchmarks.measure.Participant;
import dev.syncguard.benchmarks.measure.Slice;
import dev.syncguard.benchmarks.report.Bar;
import dev.syncguard.benchmarks.report.Panel;
import dev.syncguard.benchmarks.report.Section;
import dev.syncguard.firestore.server.FirestoreServer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a commit costs that is on disk before it is answered, beside what any program pays for that. */
final class DurableBenchmark {

  private static final String FLUSH = "bare append and fsync";
  private static final String MEMORY = "SyncGuard in memory";
  private static final String DURABLE = "SyncGuard on disk";

  private final Topic.Setting setting;

  DurableBenchmark(Topic.Setting setting) {
    this.setting = setting;
  }

  Section measure(int threads) throws Exception {
    String title = "Durable commits, " + (threads == 1 ? "one thread" : threads + " threads");
    List<Participant> all = new ArrayList<>();
    try {
      all.add(new Flushes(setting.files().onDisk("flushes-" + threads)));
      FirestoreServer memory = FirestoreServers.open().start();
      all.add(RawClient.of(MEMORY, memory.emulatorHost(), memory));
      FirestoreServer disk = FirestoreServers.open()
          .dataDirectory(setting.files().onDisk("firestore-" + threads))
          .start();
      all.add(RawClient.of(DURABLE, disk.emulatorHost(), disk));
      LoadTable table = LoadTable.measure(
          title,
          setting.rounds(),
          new Load(threads, setting.pace().slice(), setting.pace().warmUp()),
          all,
          List.of(FLUSH));
      return new Section(
          title,
          "Commits of one small document over gRPC, to a server that keeps everything on disk and to one that"
              + " does not, beside a program that appends 200 bytes to a file and waits for the disk, every thread to"
              + " a file of its own. Commits that come together share one wait.",
          table.header(),
          table.rows(),
          List.of(),
          List.of(new Panel(
              title + ": per second × " + FLUSH,
              table.series().names().stream()
                  .map(name -> new Bar(
                      name,
                      table.series().ratio(name, FLUSH, Slice::perSecond),
                      !name.equals(FLUSH)))
                  .toList(),
              Optional.empty())));
    } finally {
      all.forEach(Participant::close);
    }
  }

  /** What every durable write does at least. */
  private static final class Flushes implements Participant {

    private static final int BYTES = 200;

    private final Path path;
    private final List<FileChannel> files = new ArrayList<>();

    Flushes(Path path) {
      this.path = path;
    }

    @Override
    public String name() {
      return FLUSH;
    }

    @Override
    public Worker worker(int thread) {
      try {
        FileChannel file = FileChannel.open(
            path.resolveSibling(path.getFileName() + "-" + thread),
            StandardOpenOption.CREATE,
            StandardOpenOption.APPEND);
        files.add(file);
        return () -> {
          file.write(ByteBuffer.allocate(BYTES));
          file.force(false);
        };
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void close() {
      try {
        for (FileChannel file : files) {
          file.close();
        }
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
