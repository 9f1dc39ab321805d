package dev.syncguard.cli;

import dev.syncguard.lock.LockException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** Where the program keeps what is the user's own, as the XDG base directories say. */
final class StateDirectory {

  private StateDirectory() {}

  /** Returns where the directory is or would be. */
  static Path of(Surroundings surroundings) {
    return base(surroundings).resolve("syncguard");
  }

  private static Path base(Surroundings surroundings) {
    String state = surroundings.variable("XDG_STATE_HOME");
    // The XDG rules say that a relative path there is to be ignored.
    return state.startsWith("/")
        ? Path.of(state)
        : Path.of(System.getProperty("user.home"), ".local", "state");
  }

  /** Returns the directory, which only its owner may enter; it is created if it is missing. */
  static Path create(Surroundings surroundings) {
    Path directory = of(surroundings);
    try {
      Files.createDirectories(base(surroundings));
      if (!Files.isDirectory(directory)) {
        Files.createDirectory(
            directory,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      }
    } catch (FileAlreadyExistsException e) {
      // Somebody created it at the same moment.
    } catch (AccessDeniedException e) {
      throw new LockException(
          LockException.Code.AUTH_FAILED,
          "You may not create " + directory + "; set XDG_STATE_HOME to a directory of your own",
          e);
    } catch (IOException e) {
      throw new LockException(
          LockException.Code.SERVICE_UNAVAILABLE,
          "Cannot create " + directory + "; set XDG_STATE_HOME to a directory of your own",
          e);
    }
    return directory;
  }
}
