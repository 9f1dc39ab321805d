package dev.syncguard.cli;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;

/** Finds programs as a shell does. */
final class Executables {

  private final String searchPath;

  Executables(String searchPath) {
    this.searchPath = searchPath;
  }

  /** Returns the file that a name on a command line stands for, if there is one, executable or not. */
  Optional<Path> find(String name) {
    try {
      if (name.contains("/")) {
        return Optional.of(Path.of(name)).filter(Files::isRegularFile);
      }
      Optional<Path> fallback = Optional.empty();
      for (String directory : searchPath.split(File.pathSeparator, -1)) {
        Path file = Path.of(directory.isEmpty() ? "." : directory, name);
        if (Files.isRegularFile(file)) {
          if (Files.isExecutable(file)) {
            return Optional.of(file);
          }
          fallback = fallback.isPresent() ? fallback : Optional.of(file);
        }
      }
      return fallback;
    } catch (InvalidPathException e) {
      return Optional.empty();
    }
  }

  boolean has(String name) {
    return find(name).filter(Files::isExecutable).isPresent();
  }
}
