package dev.syncguard.firestore.server.durability;

import com.google.firestore.v1.Document;
import dev.syncguard.firestore.server.store.Database;
import dev.syncguard.firestore.server.store.EngineMemory;
import dev.syncguard.firestore.server.store.Journal;
import dev.syncguard.firestore.server.store.Journal.Workplace;
import dev.syncguard.firestore.server.store.Snapshot;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Spliterators;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** A database with its log: what it was is read back when it is opened, what it becomes is appended. */
final class DurableDatabase {
  private static final System.Logger logger = System.getLogger(DurableDatabase.class.getName());

  private final LogFiles files;
  private final WorkingFile working;
  private final CommitLog log;
  private final Database database;
  private final Recovery recovery;
  private final Followers followers;
  private long snapshotBytes;
  /** The number below which files are kept only for those who have not followed yet, and the time that sets them free. */
  private long superfluousBefore;

  private long superfluousSince;

  private DurableDatabase(
      LogFiles files,
      WorkingFile working,
      CommitLog log,
      Database database,
      Recovery recovery,
      Followers followers) {
    this.files = files;
    this.working = working;
    this.log = log;
    this.database = database;
    this.recovery = recovery;
    this.followers = followers;
  }

  static DurableDatabase open(
      LogFiles files,
      Fsync fsync,
      EngineMemory memory,
      Function<Journal, Database> opener,
      Followers followers)
      throws IOException {
    long base = base(files, followers.followedUntil());
    List<Long> logs = files.logs().stream().filter(number -> number >= base).toList();
    long last = logs.isEmpty() ? base : logs.get(logs.size() - 1);
    // Damage is cut off before the log is opened for appending: what comes next must follow what
    // was read. Everything is read twice, so that little of it is in memory at a time.
    List<String> losses = new ArrayList<>();
    long commits = 0;
    boolean damaged = false;
    for (long number : logs) {
      if (damaged) {
        losses.add(setAside(files.log(number)));
      } else {
        Frames.Scan scan =
            Frames.scan(files.log(number), frame -> CommitCodec.decode(frame).last());
        commits += scan.whole();
        damaged = repair(files.log(number), scan, losses);
      }
    }
    WorkingFile working = new WorkingFile(files.directory(), files.disk());
    WorkingFile.Origin origin = working.sealed();
    boolean usable = origin != null
        && losses.isEmpty()
        && origin.snapshot() == base
        && origin.lastLog() == last
        && origin.logChecksum() == checksum(files, logs);
    working.open();
    if (!usable) {
      working.delete();
    }
    CommitLog log = new CommitLog(files, new Workplace(working.path(), memory), fsync, last);
    Database database = opener.apply(log);
    try {
      long documents = 0;
      if (origin != null && !database.isNew()) {
        documents = origin.documents();
      } else {
        documents = base == 0 ? 0 : load(files.snapshot(base), database);
        for (long number : logs) {
          Frames.scan(files.log(number), frame -> replay(CommitCodec.decode(frame), database));
        }
      }
      files.deleteBefore(base);
      Recovery recovery = new Recovery(files.directory(), documents, commits, losses);
      DurableDatabase opened =
          new DurableDatabase(files, working, log, database, recovery, followers);
      opened.snapshotBytes = base == 0 ? 0 : Files.size(files.snapshot(base));
      return opened;
    } catch (Throwable e) {
      database.abandon();
      throw e;
    }
  }

  /**
   * Returns the latest snapshot after which everything comes that somebody has not followed yet; 0 means no snapshot, but
   * all logs. If the logs since then are not all there, it is the latest of all.
   */
  private static long base(LogFiles files, long followedUntil) throws IOException {
    List<Long> snapshots = files.snapshots();
    long latest = snapshots.isEmpty() ? 0 : snapshots.get(snapshots.size() - 1);
    if (latest == 0 || followedUntil == Long.MAX_VALUE) {
      return latest;
    }
    long base = 0;
    for (long snapshot : snapshots) {
      base = timeOf(files.snapshot(snapshot)) <= followedUntil ? snapshot : base;
    }
    List<Long> logs = files.logs();
    boolean whole = LongStream.range(base, latest).allMatch(logs::contains);
    return whole ? base : latest;
  }

  private static long timeOf(Path snapshot) throws IOException {
    AtomicLong micros = new AtomicLong(Long.MAX_VALUE);
    Frames.scan(snapshot, frame -> {
      if (micros.get() == Long.MAX_VALUE) {
        micros.set(CommitCodec.decode(frame).commit().micros());
      }
      return true;
    });
    return micros.get();
  }

  /** Nobody uses the database yet, so nobody sees that a commit comes in parts. */
  private static boolean replay(CommitCodec.Part part, Database database) {
    database.replay(part.commit());
    return part.last();
  }

  private static long checksum(LogFiles files, List<Long> logs) throws IOException {
    return WorkingFile.checksum(logs.stream().map(files::log).toList());
  }

  /** Cuts off the end of a log from where it cannot be used, and returns whether that was more than a torn write. */
  private static boolean repair(Path file, Frames.Scan scan, List<String> losses)
      throws IOException {
    if (scan.damage() == Frames.Damage.NONE) {
      return false;
    }
    long lost = scan.lostBytes();
    String after = " after " + scan.whole() + " whole commits of " + file.getFileName();
    if (scan.damage() == Frames.Damage.TORN) {
      losses.add("dropped " + lost + " bytes of a commit that was never finished," + after);
    } else {
      Path kept = copyAside(file);
      losses.add("the log is corrupt" + after + "; " + lost
          + " bytes could not be used and are kept in " + kept.getFileName());
    }
    truncate(file, scan.validBytes());
    return scan.damage() == Frames.Damage.CORRUPT;
  }

  private static void truncate(Path file, long bytes) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(bytes);
      channel.force(true);
    }
  }

  private static Path copyAside(Path file) throws IOException {
    Path kept = file.resolveSibling(file.getFileName() + ".damaged");
    return Files.copy(file, kept, StandardCopyOption.REPLACE_EXISTING);
  }

  private static String setAside(Path file) throws IOException {
    Path kept = copyAside(file);
    truncate(file, 0);
    return "all of " + file.getFileName() + " follows a damaged log and is kept in "
        + kept.getFileName();
  }

  private static long load(Path snapshot, Database database) throws IOException {
    AtomicLong micros = new AtomicLong(-1);
    Frames.Scan scan = Frames.scan(snapshot, frame -> {
      if (micros.get() < 0) {
        micros.set(CommitCodec.decode(frame).commit().micros());
      } else {
        database.load(Document.parseFrom(frame));
      }
      return true;
    });
    if (scan.damage() != Frames.Damage.NONE || scan.whole() == 0) {
      throw new IOException(
          "The snapshot " + snapshot + " is damaged; restore the directory from a copy.");
    }
    database.startHistoryAt(micros.get());
    return scan.whole() - 1;
  }

  Database database() {
    return database;
  }

  Recovery recovery() {
    return recovery;
  }

  synchronized void maintain(boolean sync, long compactAfterBytes) throws IOException {
    if (sync) {
      log.sync();
    }
    deleteSuperfluous();
    if (log.size() > Math.max(compactAfterBytes, 2 * snapshotBytes)) {
      compact();
    }
  }

  /** Writes all documents into a snapshot, which makes the logs before it superfluous. */
  synchronized void compact() throws IOException {
    AtomicLong number = new AtomicLong();
    try (Snapshot frozen = database.freeze(() -> number.set(rotate()))) {
      Stream<byte[]> header = Stream.of(CommitCodec.encode(frozen.micros()));
      Stream<byte[]> documents = StreamSupport.stream(
              Spliterators.spliteratorUnknownSize(frozen.documentsBelow(""), 0), false)
          .map(Document::toByteArray);
      files.writeSnapshot(
          number.get(), Stream.concat(header, documents).map(Frames::encode).iterator());
      superfluousSince = frozen.micros();
    }
    snapshotBytes = Files.size(files.snapshot(number.get()));
    superfluousBefore = number.get();
    deleteSuperfluous();
  }

  private void deleteSuperfluous() throws IOException {
    if (superfluousBefore > 0 && followers.followedUntil() >= superfluousSince) {
      files.deleteBefore(superfluousBefore);
      superfluousBefore = 0;
    }
  }

  private long rotate() {
    try {
      return log.rotate();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Closes the log, and seals the working file if it holds all that the log does and nothing else. */
  synchronized void close() throws IOException {
    // Whoever has not followed all of it is told the rest by replaying the logs.
    boolean followed = followers.followedUntil() >= database.lastCommit();
    boolean safe = false;
    try {
      safe = log.close();
    } finally {
      if (!safe) {
        database.abandon();
      }
    }
    if (safe && database.close() && followed) {
      seal();
    }
  }

  private void seal() {
    try {
      List<Long> logs = files.logs();
      List<Long> snapshots = files.snapshots();
      long base = snapshots.isEmpty() ? 0 : snapshots.get(snapshots.size() - 1);
      List<Long> since = logs.stream().filter(number -> number >= base).toList();
      working.seal(new WorkingFile.Origin(
          base,
          since.isEmpty() ? base : since.get(since.size() - 1),
          checksum(files, since),
          recovery.documents()));
    } catch (IOException e) {
      logger.log(
          System.Logger.Level.WARNING,
          () -> "The next start will take longer: " + working.path() + " could not be sealed",
          e);
    }
  }

  synchronized void delete() throws IOException {
    try {
      log.close();
    } finally {
      database.abandon();
    }
    working.delete();
    files.delete();
  }
}
