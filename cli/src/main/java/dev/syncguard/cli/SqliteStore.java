package dev.syncguard.cli;

import dev.syncguard.lock.LockException;
import dev.syncguard.lock.jdbc.SqliteLockBackend;
import dev.syncguard.lock.spi.LockBackend;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/** Locks in an SQLite file, readable only by its owner unless it was there before. */
final class SqliteStore implements Stores.Store {

  @Override
  public String prefix() {
    return "sqlite:";
  }

  @Override
  public String example() {
    return "sqlite:PATH";
  }

  @Override
  public LockBackend open(String address, Stores.Purpose purpose) {
    String path = address.substring(prefix().length());
    if (path.isEmpty()) {
      throw LockException.invalidArgument("The store's address lacks the path; write sqlite:PATH");
    }
    try {
      return open(Path.of(path), purpose);
    } catch (InvalidPathException e) {
      throw LockException.invalidArgument("The store's address is not a path; write sqlite:PATH");
    }
  }

  /** Opens the user's own store, and creates it where the XDG base directories say if it is missing. */
  static LockBackend openDefault(Surroundings surroundings, Stores.Purpose purpose) {
    Path directory = purpose == Stores.Purpose.LOOK
        ? StateDirectory.of(surroundings)
        : StateDirectory.create(surroundings);
    if (!Files.exists(directory)) {
      return new MissingStore();
    }
    return open(directory.resolve("locks.db"), purpose);
  }

  private static LockBackend open(Path file, Stores.Purpose purpose) {
    if (purpose == Stores.Purpose.LOOK && isMissing(file)) {
      return new MissingStore();
    }
    try {
      if (Files.notExists(file)) {
        Files.createFile(file, onlyForOwner("rw-------"));
      }
    } catch (FileAlreadyExistsException e) {
      // Somebody created it at the same moment.
    } catch (IOException e) {
      throw cannotCreate(file, e);
    }
    return SqliteLockBackend.open(file);
  }

  /** A directory that is not there is a mistake in the address, and is told as such. */
  private static boolean isMissing(Path file) {
    try {
      return Files.isDirectory(file.toAbsolutePath().resolveSibling("."))
          && (Files.notExists(file) || (Files.isReadable(file) && Files.size(file) == 0));
    } catch (IOException e) {
      return false; // Opening it will tell why.
    }
  }

  private static FileAttribute<?> onlyForOwner(String permissions) {
    return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions));
  }

  private static LockException cannotCreate(Path path, IOException e) {
    if (e instanceof AccessDeniedException) {
      return new LockException(
          LockException.Code.AUTH_FAILED,
          "You may not create " + path
              + "; make its directory writable or choose another file with --store sqlite:PATH",
          e);
    }
    return new LockException(
        LockException.Code.SERVICE_UNAVAILABLE,
        "Cannot create " + path
            + (e instanceof NoSuchFileException ? ", because its directory does not exist" : "")
            + "; create the directory or choose another file with --store sqlite:PATH",
        e);
  }
}
