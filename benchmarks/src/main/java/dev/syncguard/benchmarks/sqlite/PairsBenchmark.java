package dev.syncguard.benchmarks.sqlite;

import dev.syncguard.benchmarks.LoadTable;
import dev.syncguard.benchmarks.SyncGuardPairs;
import dev.syncguard.benchmarks.Topic;
import dev.syncguard.benchmarks.measure.Load;
import dev.syncguard.benchmarks.measure.Participant;
import dev.syncguard.benchmarks.measure.Slice;
import dev.syncguard.benchmarks.report.Bar;
import dev.syncguard.benchmarks.report.Goal;
import dev.syncguard.benchmarks.report.Panel;
import dev.syncguard.benchmarks.report.Section;
import dev.syncguard.benchmarks.report.Target;
import dev.syncguard.lock.jdbc.SqliteLockBackend;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** How many free keys can be taken and given back in a second, beside what the file itself can do. */
final class PairsBenchmark {

  private static final String OURS = "SyncGuard";
  private static final String ONE_UPDATE = "one UPDATE";
  private static final String TWO_UPDATES = "two UPDATEs";
  private static final Target TARGET = Target.atLeast(0.7);

  private static final String FEWER_PAGES =
      "no index by id: it is half of the pages that a pair writes, and a release would have to bring the key";

  private final Topic.Setting setting;

  PairsBenchmark(Topic.Setting setting) {
    this.setting = setting;
  }

  Section onDisk(int threads) throws Exception {
    String title = "Acquire and release, " + threadsInWords(threads);
    LoadTable table = measure(title, threads, setting.files()::onDisk);
    List<Goal> goals = threads > 1
        ? List.of()
        : List.of(new Goal(
            "acquire+release pairs/s × two durable UPDATEs",
            table.series().ratio(OURS, TWO_UPDATES, Slice::perSecond),
            TARGET,
            FEWER_PAGES));
    String text =
        "Pairs of acquire and release on keys that nobody else wants, against bare durable"
            + " UPDATEs of one row on one connection (`synchronous=FULL`, WAL, all on the same disk). The bar is two"
            + " UPDATEs, one for each half of a pair. One UPDATE stands beside for information. SyncGuard waits for the disk once per pair: its acquire is"
            + " durable, its release is not, as a release that is lost with the power leaves the lock to its ttl. It"
            + " writes four pages per pair, two of them for the index that finds a lease by its id; a bare UPDATE"
            + " writes one.";
    return new Section(
        title,
        threads > 1
            ? "The same with " + threadsInWords(threads)
                + ": SQLite has one writer. The bare UPDATEs take turns; SyncGuard carries the changes of all"
                + " who wait in one transaction."
            : text,
        table.header(),
        table.rows(),
        goals,
        List.of(panel(title, table, threads > 1 ? Optional.empty() : Optional.of(TARGET))));
  }

  Section inMemory() throws Exception {
    String title = "Acquire and release without a disk";
    LoadTable table = measure(title, 1, setting.files()::inMemory);
    return new Section(
        title,
        "The same with one thread on files in memory, where nobody waits for a disk: what remains is the"
            + " work of SQLite, its driver and SyncGuard. For information.",
        table.header(),
        table.rows(),
        List.of(),
        List.of());
  }

  private LoadTable measure(String title, int threads, Function<String, Path> file)
      throws Exception {
    List<Participant> participants = participants("-" + threads + ".db", file);
    try {
      return LoadTable.measure(
          title,
          setting.rounds(),
          new Load(threads, setting.pace().slice(), setting.pace().warmUp()),
          participants,
          List.of(ONE_UPDATE, TWO_UPDATES));
    } finally {
      participants.forEach(Participant::close);
    }
  }

  /** Returns everybody, each with a file whose name ends so. */
  static List<Participant> participants(String suffix, Function<String, Path> file)
      throws Exception {
    return List.of(
        new DurableUpdates(ONE_UPDATE, 1, file.apply("one" + suffix)),
        new DurableUpdates(TWO_UPDATES, 2, file.apply("two" + suffix)),
        new HandWrittenLock("hand-written lock", file.apply("hand" + suffix)),
        new SyncGuardPairs(
            OURS, SqliteLockBackend.open(file.apply("ours" + suffix)), PairsBenchmark::keys));
  }

  private static SyncGuardPairs.Keys keys(int thread) {
    Rows rows = new Rows(thread);
    return () -> "key-" + rows.next();
  }

  private static Panel panel(String title, LoadTable table, Optional<Target> target) {
    return new Panel(
        title + ": pairs per second × two durable UPDATEs",
        table.series().names().stream()
            .map(name -> new Bar(
                name, table.series().ratio(name, TWO_UPDATES, Slice::perSecond), name.equals(OURS)))
            .toList(),
        target);
  }

  private static String threadsInWords(int threads) {
    return threads == 1 ? "one thread" : threads + " threads";
  }
}
