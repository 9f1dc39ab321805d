package dev.syncguard.sync.simulation;

import dev.syncguard.sync.PersistenceSync;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.LongConsumer;
import java.util.spi.ToolProvider;
import org.jspecify.annotations.Nullable;

/**
 * The engine and this simulation once more, with one source file of the engine changed.
 *
 * <p>The changed file is compiled apart; all classes of sync are loaded anew around it, so that a bug can be planted
 * without a trace of it in what we ship.
 */
final class MutatedEngine extends ClassLoader {

  private static final String PACKAGE = "dev.syncguard.sync.";
  private static final Path SOURCES = Path.of("src", "main", "java", "dev", "syncguard", "sync");

  private final Path changed;

  private MutatedEngine(Path changed) {
    super(MutatedEngine.class.getClassLoader());
    this.changed = changed;
  }

  /**
   * Returns what plays stories with the bug in them.
   *
   * @param scratch an empty directory to compile in
   */
  static LongConsumer with(PlantedBug bug, Path scratch) {
    try {
      Path original = SOURCES.resolve(bug.file());
      Path source =
          Files.writeString(scratch.resolve(original.getFileName()), bug.plantedIn(original));
      Path classes = Files.createDirectory(scratch.resolve("classes"));
      compile(source, classes);
      return (LongConsumer) new MutatedEngine(classes)
          .loadClass(Seeds.class.getName())
          .getDeclaredConstructor()
          .newInstance();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("The changed engine cannot be loaded", e);
    }
  }

  private static void compile(Path source, Path classes) {
    StringWriter complaints = new StringWriter();
    PrintWriter out = new PrintWriter(complaints);
    String path = place(PersistenceSync.class) + File.pathSeparator + place(Nullable.class);
    int exit = ToolProvider.findFirst("javac")
        .orElseThrow()
        .run(
            out,
            out,
            "--release",
            "17",
            "-proc:none",
            "-nowarn",
            "-cp",
            path,
            "-d",
            classes.toString(),
            source.toString());
    if (exit != 0) {
      throw new AssertionError("The changed source does not compile: " + complaints);
    }
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith(PACKAGE)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> known = findLoadedClass(name);
      if (known == null) {
        byte[] bytes = bytes(name.replace('.', '/') + ".class");
        known = defineClass(name, bytes, 0, bytes.length);
      }
      return known;
    }
  }

  private byte[] bytes(String file) throws ClassNotFoundException {
    Path replaced = changed.resolve(file);
    try (InputStream in = Files.exists(replaced)
        ? Files.newInputStream(replaced)
        : getParent().getResourceAsStream(file)) {
      if (in == null) {
        throw new ClassNotFoundException(file);
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new ClassNotFoundException(file, e);
    }
  }

  private static String place(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI())
          .toString();
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }
}
