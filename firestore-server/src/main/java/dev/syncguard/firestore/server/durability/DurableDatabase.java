package dev.syncguard.firestore.server.durability;

import com.google.firestore.v1.Document;
import dev.syncguard.firestore.server.name.DocumentName;
import dev.syncguard.firestore.server.store.Change;
import dev.syncguard.firestore.server.store.Commit;
import dev.syncguard.firestore.server.store.Database;
import dev.syncguard.firestore.server.store.Journal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/** A database with its log: what it was is read back when it is opened, what it becomes is appended. */
final class DurableDatabase {
  private final LogFiles files;
  private final CommitLog log;
  private final Database database;
  private final Recovery recovery;
  private long snapshotBytes;

  private DurableDatabase(
      LogFiles files, CommitLog log, Database database, Recovery recovery, long snapshotBytes) {
    this.files = files;
    this.log = log;
    this.database = database;
    this.recovery = recovery;
    this.snapshotBytes = snapshotBytes;
  }

  static DurableDatabase open(LogFiles files, Fsync fsync, Function<Journal, Database> opener)
      throws IOException {
    List<Long> snapshots = files.snapshots();
    long base = snapshots.isEmpty() ? 0 : snapshots.get(snapshots.size() - 1);
    List<Long> logs = files.logs().stream().filter(number -> number >= base).toList();
    long last = logs.isEmpty() ? base : logs.get(logs.size() - 1);
    // Damage is cut off before the log is opened for appending: what comes next must follow what
    // was read. Everything is read twice, so that no more than one commit is in memory at a time.
    List<String> losses = new ArrayList<>();
    boolean damaged = false;
    for (long number : logs) {
      if (damaged) {
        losses.add(setAside(files.log(number)));
      } else {
        damaged = repair(files.log(number), losses);
      }
    }
    CommitLog log = new CommitLog(files, fsync, last);
    Database database = opener.apply(log);
    long documents = base == 0 ? 0 : load(files.snapshot(base), database);
    long commits = 0;
    for (long number : logs) {
      commits += Frames.scan(files.log(number), frame -> database.replay(CommitCodec.decode(frame)))
          .frames();
    }
    files.deleteBefore(base);
    long bytes = base == 0 ? 0 : Files.size(files.snapshot(base));
    Recovery recovery = new Recovery(files.directory(), documents, commits, losses);
    return new DurableDatabase(files, log, database, recovery, bytes);
  }

  /** Cuts off the end of a log from where it cannot be used, and returns whether that was more than a torn write. */
  private static boolean repair(Path file, List<String> losses) throws IOException {
    Frames.Scan scan = Frames.scan(file, CommitCodec::decode);
    if (scan.damage() == Frames.Damage.NONE) {
      return false;
    }
    long lost = scan.lostBytes();
    String after = " after " + scan.frames() + " whole commits of " + file.getFileName();
    if (scan.damage() == Frames.Damage.TORN) {
      losses.add("dropped " + lost + " bytes of a commit that was never finished," + after);
    } else {
      Path kept = copyAside(file);
      losses.add("the log is corrupt" + after + "; " + lost
          + " bytes could not be used and are kept in " + kept.getFileName());
    }
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(scan.validBytes());
      channel.force(true);
    }
    return scan.damage() == Frames.Damage.CORRUPT;
  }

  private static Path copyAside(Path file) throws IOException {
    Path kept = file.resolveSibling(file.getFileName() + ".damaged");
    return Files.copy(file, kept, StandardCopyOption.REPLACE_EXISTING);
  }

  private static String setAside(Path file) throws IOException {
    Path kept = copyAside(file);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(0);
    }
    return "all of " + file.getFileName() + " follows a damaged log and is kept in "
        + kept.getFileName();
  }

  private static long load(Path snapshot, Database database) throws IOException {
    AtomicLong micros = new AtomicLong(-1);
    Frames.Scan scan = Frames.scan(snapshot, frame -> {
      if (micros.get() < 0) {
        micros.set(CommitCodec.decode(frame).micros());
      } else {
        Document document = Document.parseFrom(frame);
        Change change = new Change(DocumentName.parse(document.getName()), null, document);
        database.replay(new Commit(micros.get(), List.of(change)));
      }
    });
    if (scan.damage() != Frames.Damage.NONE || scan.frames() == 0) {
      throw new IOException(
          "The snapshot " + snapshot + " is damaged; restore the directory from a copy.");
    }
    database.startHistoryAt(micros.get());
    return scan.frames() - 1;
  }

  Database database() {
    return database;
  }

  Recovery recovery() {
    return recovery;
  }

  void maintain(boolean sync, long compactAfterBytes) throws IOException {
    if (sync) {
      log.sync();
    }
    if (log.size() > Math.max(compactAfterBytes, 2 * snapshotBytes)) {
      compact();
    }
  }

  /** Writes all documents into a snapshot, which makes the logs before it superfluous. */
  void compact() throws IOException {
    record State(long number, long micros, List<Document> documents) {}
    State state = database.freeze((micros, documents) -> {
      try {
        return new State(log.rotate(), micros, documents);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    });
    Iterator<Document> documents = state.documents().iterator();
    byte[] header = CommitCodec.encode(new Commit(state.micros(), List.of()));
    files.writeSnapshot(state.number(), () -> new Iterator<>() {
      private boolean started;

      @Override
      public boolean hasNext() {
        return !started || documents.hasNext();
      }

      @Override
      public byte[] next() {
        if (!started) {
          started = true;
          return header;
        }
        return documents.next().toByteArray();
      }
    });
    snapshotBytes = Files.size(files.snapshot(state.number()));
    files.deleteBefore(state.number());
  }

  void close() throws IOException {
    log.close();
  }

  void delete() throws IOException {
    close();
    files.delete();
  }
}
