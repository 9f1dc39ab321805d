package dev.syncguard.lock.redis;

import java.io.File;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What another JVM needs to run our classes and tests. */
final class ClassPath {

  private ClassPath() {}

  static String ours() {
    return Stream.of(
            Path.of("target", "test-classes").toAbsolutePath().toString(),
            Path.of("target", "classes").toAbsolutePath().toString(),
            System.getProperty("jdk.module.path", ""),
            System.getProperty("java.class.path", ""))
        .filter(path -> !path.isEmpty())
        .collect(Collectors.joining(File.pathSeparator));
  }
}
