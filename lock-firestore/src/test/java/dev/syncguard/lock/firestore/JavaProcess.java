package dev.syncguard.lock.firestore;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Another JVM with our classes and tests. */
final class JavaProcess {

  private JavaProcess() {}

  static Process start(Class<?> main, String... arguments) throws IOException {
    return start(Map.of(), main, arguments);
  }

  static Process start(Map<String, String> environment, Class<?> main, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>(List.of(
        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
        "-XX:TieredStopAtLevel=1",
        "-XX:+UseSerialGC",
        "-Xshare:auto",
        "-Xmx256m",
        "-cp",
        Path.of("target", "test-classes")
            + File.pathSeparator
            + Path.of("target", "classes")
            + File.pathSeparator
            + System.getProperty("java.class.path"),
        main.getName()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().putAll(environment);
    return builder.start();
  }
}
