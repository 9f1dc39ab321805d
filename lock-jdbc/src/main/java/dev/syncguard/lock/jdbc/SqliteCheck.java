package dev.syncguard.lock.jdbc;

import static dev.syncguard.lock.spi.StoreCheck.Severity.FAILURE;
import static dev.syncguard.lock.spi.StoreCheck.Severity.GOOD;
import static dev.syncguard.lock.spi.StoreCheck.Severity.WARNING;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.Fence;
import dev.syncguard.lock.spi.StoreCheck;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Examines a file: is it sound, is it where it should be, and does it keep what we promise? */
final class SqliteCheck implements StoreCheck {

  private static final long LITTLE_SPACE_BYTES = 64L << 20;
  private static final Set<String> NETWORK_FILE_SYSTEMS = Set.of(
      "9p",
      "afs",
      "ceph",
      "cifs",
      "fuse.sshfs",
      "glusterfs",
      "lustre",
      "ncpfs",
      "nfs",
      "nfs4",
      "smb2",
      "smb3",
      "smbfs");

  private final SqliteStore store;

  SqliteCheck(SqliteStore store) {
    this.store = store;
  }

  @Override
  public List<Finding> examine(Cancellation cancellation) {
    List<Finding> findings = new ArrayList<>();
    findings.add(new Finding(
        GOOD,
        "store",
        store.path() + ", SQLite " + text("SELECT sqlite_version()", cancellation)
            + ", schema version " + text("PRAGMA user_version", cancellation)));
    findings.add(journal(text("PRAGMA journal_mode", cancellation)));
    findings.add(durability(cancellation));
    findings.add(integrity(text("PRAGMA quick_check(1)", cancellation)));
    findings.add(
        fences(Long.parseLong(text("SELECT coalesce(max(fence), 0) FROM locks", cancellation))));
    findings.addAll(surroundings(store.path()));
    return findings;
  }

  static Finding journal(String mode) {
    return "wal".equals(mode)
        ? new Finding(GOOD, "journal", "Write-ahead log")
        : new Finding(
            FAILURE,
            "journal",
            "The journal mode is " + mode + " instead of wal; close all programs that use the file"
                + " and open it again");
  }

  private Finding durability(Cancellation cancellation) {
    long level = store
        .writeDurably(
            store.interruptibly(cancellation), "PRAGMA synchronous", row -> row.getLong(1))
        .get(0);
    return level >= 2
        ? new Finding(GOOD, "durability", "A grant is on disk before it is announced")
        : new Finding(
            FAILURE,
            "durability",
            "SQLite does not sync grants to the disk (synchronous = " + level
                + "), so that a loss of power could repeat a fence");
  }

  static Finding integrity(String answer) {
    return "ok".equals(answer)
        ? new Finding(GOOD, "integrity", "No damage found")
        : new Finding(
            FAILURE,
            "integrity",
            "The file is damaged; stop all programs that use it and restore it from a backup");
  }

  static Finding fences(long highest) {
    return highest <= Fence.WARN
        ? new Finding(GOOD, "fences", "The highest is " + highest + " of " + Fence.MAX)
        : new Finding(
            WARNING,
            "fences",
            "The highest is " + highest + " of " + Fence.MAX
                + "; move that resource to a new key before it is reached");
  }

  private static List<Finding> surroundings(Path file) {
    try {
      FileStore disk = Files.getFileStore(file);
      return List.of(
          fileSystem(disk.type()), space(disk.getUsableSpace()), access(permissions(file)));
    } catch (IOException e) {
      return List.of(
          new Finding(WARNING, "disk", "The file system of the lock store could not be examined"));
    }
  }

  static Finding fileSystem(String type) {
    return NETWORK_FILE_SYSTEMS.contains(type.toLowerCase(Locale.ROOT))
        ? new Finding(
            FAILURE,
            "file system",
            "The lock store is on a network file system (" + type
                + "), where processes on other machines do not see its locks; move it to a local"
                + " disk, or use Redis or PostgreSQL")
        : new Finding(GOOD, "file system", "Local (" + type + ")");
  }

  static Finding space(long usableBytes) {
    String left = (usableBytes >> 20) + " MiB left";
    return usableBytes >= LITTLE_SPACE_BYTES
        ? new Finding(GOOD, "disk space", left)
        : new Finding(
            WARNING, "disk space", left + "; without room, no lock can be taken or extended");
  }

  static Finding access(Set<PosixFilePermission> permissions) {
    boolean ownerOnly =
        permissions.stream().allMatch(permission -> permission.name().startsWith("OWNER_"));
    return ownerOnly
        ? new Finding(GOOD, "access", "Only the owner may read the file")
        : new Finding(
            WARNING,
            "access",
            "Others may open the file, which holds keys and the ids that release locks; run chmod"
                + " 600 on it unless they share the locks");
  }

  private static Set<PosixFilePermission> permissions(Path file) throws IOException {
    return file.getFileSystem().supportedFileAttributeViews().contains("posix")
        ? Files.getPosixFilePermissions(file)
        : Set.of();
  }

  private String text(String query, Cancellation cancellation) {
    return store
        .read(store.interruptibly(cancellation), query, row -> row.getString(1))
        .get(0);
  }
}
