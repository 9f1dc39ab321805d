package dev.syncguard.lock.redis;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import redis.embedded.core.ExecutableProvider;

/** Which server a test runs against. */
enum RedisBinary {
  /** The oldest that we support, from a Maven artifact. */
  REDIS_6_2,
  /** The newest that the system's packages offer. */
  SYSTEM;

  Path path() {
    return this == SYSTEM ? installed() : Unpacked.PATH;
  }

  private static final class Unpacked {
    static final Path PATH = unpack();

    private static Path unpack() {
      try {
        // Not where another JVM may just be running what we would overwrite.
        String ours = Long.toString(ProcessHandle.current().pid());
        Path directory = Files.createDirectories(Path.of("target", "redis", ours));
        return ExecutableProvider.newJarResourceProvider(directory.toFile())
            .get()
            .toPath()
            .toAbsolutePath();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static Path installed() {
    return Arrays.stream(System.getenv("PATH").split(File.pathSeparator, -1))
        .map(directory -> Path.of(directory, "redis-server"))
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException(
            "redis-server is not installed; try: apt-get install redis-server"));
  }
}
