package dev.syncguard.firestore.server.durability;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;

/**
 * A disk that loses its power before its n-th step, and with it what was not forced: bytes of files from some point after
 * the last force, and names of files and directories from some point after the last sync.
 */
final class PowerCutDisk implements Disk {
  private interface Undo {
    void run() throws IOException;
  }

  private record Renaming(Path name, Undo undo) {}

  private final Path bin;
  private final Map<Path, Long> forced = new HashMap<>();
  private final List<Renaming> unsynced = new ArrayList<>();
  private long stepsLeft;
  private int deleted;

  /** @param bin where deleted files wait until their deletion is synced */
  PowerCutDisk(long steps, Path bin) {
    this.stepsLeft = steps;
    this.bin = bin;
  }

  boolean isOff() {
    return stepsLeft < 0;
  }

  /** Leaves on the real disk what a power cut leaves: at least what was forced, at most what was written. */
  void lose(Path root, Random random) throws IOException {
    garbleUnforced(root, random);
    int kept = random.nextInt(unsynced.size() + 1);
    for (int i = unsynced.size() - 1; i >= kept; i--) {
      unsynced.get(i).undo().run();
    }
    for (Map.Entry<Path, Long> file : forced.entrySet()) {
      if (Files.isRegularFile(file.getKey())) {
        long loose = Files.size(file.getKey()) - file.getValue();
        try (FileChannel channel = FileChannel.open(file.getKey(), StandardOpenOption.WRITE)) {
          channel.truncate(file.getValue() + random.nextLong(loose + 1));
        }
      }
    }
  }

  /** A file that others write to, and that was never forced, can hold anything. */
  private void garbleUnforced(Path root, Random random) throws IOException {
    if (!Files.isDirectory(root)) {
      return;
    }
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file :
          files.filter(name -> name.toString().endsWith("~working")).toList()) {
        if (!forced.containsKey(file)) {
          byte[] bytes = Files.readAllBytes(file);
          for (int i = random.nextInt(512); i < bytes.length; i += 1 + random.nextInt(512)) {
            bytes[i] = (byte) random.nextInt();
          }
          Files.write(file, Arrays.copyOf(bytes, random.nextInt(bytes.length + 1)));
        }
      }
    }
  }

  private void step() throws IOException {
    if (stepsLeft < 0 || --stepsLeft < 0) {
      throw new IOException("The power is off");
    }
  }

  @Override
  public Appender append(Path file) throws IOException {
    step();
    if (!Files.exists(file)) {
      unsynced.add(new Renaming(file, () -> Files.deleteIfExists(file)));
    }
    Appender real = REAL.append(file);
    forced.put(file, real.size());
    return new Appender() {
      @Override
      public void write(ByteBuffer bytes) throws IOException {
        step();
        real.write(bytes);
      }

      @Override
      public void force() throws IOException {
        step();
        forced.put(file, real.size());
      }

      @Override
      public long size() throws IOException {
        return real.size();
      }

      @Override
      public void close() throws IOException {
        real.close();
      }
    };
  }

  @Override
  public void move(Path from, Path to) throws IOException {
    step();
    Path replaced = bin.resolve("replaced" + deleted++);
    long replacedLength = forced.getOrDefault(to, 0L);
    if (Files.exists(to)) {
      Files.copy(to, replaced);
    }
    REAL.move(from, to);
    long length = forced.getOrDefault(from, 0L);
    forced.remove(from);
    forced.put(to, length);
    unsynced.add(new Renaming(to, () -> {
      REAL.move(to, from);
      forced.remove(to);
      forced.put(from, length);
      if (Files.exists(replaced)) {
        REAL.move(replaced, to);
        forced.put(to, replacedLength);
      }
    }));
  }

  @Override
  public void delete(Path file) throws IOException {
    step();
    if (Files.exists(file)) {
      Path gone = bin.resolve("deleted" + deleted++);
      REAL.move(file, gone);
      unsynced.add(new Renaming(file, () -> REAL.move(gone, file)));
    }
  }

  @Override
  public void force(Path file) throws IOException {
    step();
    forced.put(file, Files.size(file));
  }

  @Override
  public void createDirectory(Path directory) throws IOException {
    step();
    REAL.createDirectory(directory);
    unsynced.add(new Renaming(directory, () -> deleteAll(directory)));
  }

  @Override
  public void sync(Path directory) throws IOException {
    step();
    unsynced.removeIf(renaming -> directory.equals(renaming.name().getParent()));
  }

  private static void deleteAll(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
