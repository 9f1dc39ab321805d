package dev.syncguard.firestore.server.durability;

import static java.lang.System.Logger.Level.WARNING;

import dev.syncguard.firestore.server.name.DatabaseName;
import dev.syncguard.firestore.server.store.Database;
import dev.syncguard.firestore.server.store.EngineMemory;
import dev.syncguard.firestore.server.store.Journal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A directory that keeps databases over restarts, one directory below it for each. Only one server uses it at a time.
 * Thread-safe.
 */
public final class DataDirectory implements AutoCloseable {
  private static final System.Logger log = System.getLogger(DataDirectory.class.getName());

  private final Path root;
  private final Disk disk;
  private final Fsync fsync;
  private final long compactAfterBytes;
  private final FileChannel lockFile;
  private final EngineMemory memory = new EngineMemory();
  private final Map<DatabaseName, DurableDatabase> databases = new ConcurrentHashMap<>();
  private final List<Recovery> recoveries = new CopyOnWriteArrayList<>();

  private DataDirectory(
      Path root, Disk disk, Fsync fsync, long compactAfterBytes, FileChannel lockFile) {
    this.root = root;
    this.disk = disk;
    this.fsync = fsync;
    this.compactAfterBytes = compactAfterBytes;
    this.lockFile = lockFile;
  }

  /** Takes the directory for this server, making it if need be. */
  public static DataDirectory open(Path root, Fsync fsync, long compactAfterBytes) {
    return open(root, Disk.REAL, fsync, compactAfterBytes);
  }

  static DataDirectory open(Path root, Disk disk, Fsync fsync, long compactAfterBytes) {
    try {
      createDirectories(root.toAbsolutePath(), disk);
      FileChannel lockFile = FileChannel.open(
          root.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (!isTaken(lockFile)) {
        return new DataDirectory(root, disk, fsync, compactAfterBytes, lockFile);
      }
      lockFile.close();
      throw new UncheckedIOException(new IOException("Another server is using " + root));
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot use the data directory " + root, e);
    }
  }

  private static boolean isTaken(FileChannel lockFile) throws IOException {
    try {
      FileLock lock = lockFile.tryLock();
      return lock == null;
    } catch (OverlappingFileLockException e) {
      return true;
    }
  }

  /** Returns the file in which the progress of triggers is remembered. */
  public ReplacedFile triggersFile() {
    return new ReplacedFile(root, "triggers", disk);
  }

  /** Returns the databases that the directory holds. */
  public List<DatabaseName> names() {
    List<DatabaseName> names = new ArrayList<>();
    for (Path project : children(root)) {
      for (Path database : children(project)) {
        names.add(new DatabaseName(decode(project), decode(database)));
      }
    }
    return names;
  }

  /** Brings all documents of a database to disk, which need not be in its log: after a crash all are there, or none. */
  public void keep(DatabaseName name) {
    DurableDatabase opened = Objects.requireNonNull(databases.get(name));
    try {
      opened.compact();
    } catch (IOException e) {
      opened.database().abandon();
      throw new UncheckedIOException("Cannot write the database " + name, e);
    }
  }

  /** Opens a database, which is created if it is missing, and replays what was written before. */
  public Database open(DatabaseName name, Function<Journal, Database> opener) {
    return open(name, opener, Followers.NONE);
  }

  /** Does the same, and keeps what followers have not taken. */
  public Database open(DatabaseName name, Function<Journal, Database> opener, Followers followers) {
    Path directory = root.resolve(encode(name.project())).resolve(encode(name.database()));
    try {
      createDirectories(directory.toAbsolutePath(), disk);
      DurableDatabase opened =
          DurableDatabase.open(new LogFiles(directory, disk), fsync, memory, opener, followers);
      databases.put(name, opened);
      recoveries.add(opened.recovery());
      for (String loss : opened.recovery().losses()) {
        log.log(WARNING, () -> "Recovering " + directory + ": " + loss);
      }
      return opened.database();
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot open the database in " + directory, e);
    }
  }

  /** Closes a database and removes its files, because it holds nothing. */
  public void delete(DatabaseName name) {
    DurableDatabase database = databases.remove(name);
    if (database == null) {
      return;
    }
    try {
      recoveries.remove(database.recovery());
      database.delete();
    } catch (IOException e) {
      log.log(WARNING, () -> "Files of an empty database are left in " + root, e);
    }
  }

  /** Returns what was found when each database was opened. */
  public List<Recovery> recoveries() {
    return List.copyOf(recoveries);
  }

  /** Syncs what is due and replaces logs that have grown long by snapshots; to be called about once a second. */
  public void maintain() {
    for (DurableDatabase database : databases.values()) {
      try {
        database.maintain(fsync == Fsync.EVERY_SECOND, compactAfterBytes);
      } catch (IOException e) {
        log.log(WARNING, () -> "Maintenance of a data directory failed; it will be tried again", e);
      }
    }
  }

  @Override
  public void close() {
    try (lockFile) { // given back whatever happens
      for (DurableDatabase database : databases.values()) {
        database.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot close the data directory " + root, e);
    }
  }

  // A directory whose name was not synced may be gone after a power cut, with all that is in it.
  private static void createDirectories(Path directory, Disk disk) throws IOException {
    Path parent = directory.getParent();
    if (parent != null && !Files.isDirectory(directory)) {
      createDirectories(parent, disk);
      disk.createDirectory(directory);
      disk.sync(parent);
    }
  }

  private static List<Path> children(Path directory) {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(Files::isDirectory).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot list " + directory, e);
    }
  }

  // Ids hold parentheses, dots and more; a leading dot would be a hidden or special directory.
  private static String encode(String id) {
    String encoded = URLEncoder.encode(id, StandardCharsets.UTF_8).replace("*", "%2A");
    return encoded.startsWith(".") ? "%2E" + encoded.substring(1) : encoded;
  }

  private static String decode(Path directory) {
    return URLDecoder.decode(directory.getFileName().toString(), StandardCharsets.UTF_8);
  }
}
