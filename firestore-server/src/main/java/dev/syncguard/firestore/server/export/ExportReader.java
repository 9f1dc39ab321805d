package dev.syncguard.firestore.server.export;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.Code;
import dev.syncguard.firestore.server.FirestoreServerException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Reads an export from its overall file, and follows that to all others. What is damaged, missing, or less than the overall
 * file speaks of is refused. Immutable.
 */
final class ExportReader {
  private static final String UNREADABLE = "Failed to parse overall export metadata file";
  private static final String OTHER_VERSION = "Overall export metadata file version not supported";

  private final Path overallFile;

  ExportReader(Path overallFile) {
    this.overallFile = overallFile;
  }

  /** Takes one entity at a time. */
  interface Consumer {
    void accept(byte[] entity) throws InvalidProtocolBufferException;
  }

  /** Hands over every entity, in the order of the files. */
  void read(Consumer consumer) {
    for (OverallMetadata.Kind kind : overall().kinds()) {
      read(kind, consumer);
    }
  }

  private OverallMetadata overall() {
    if (!Files.isRegularFile(overallFile)) {
      throw FirestoreServerException.invalid(
          UNREADABLE + ": " + overallFile + " is not a file. It ends in " + ExportWriter.OVERALL);
    }
    try (LogReader log = new LogReader(overallFile)) {
      requireVersion(log);
      byte[] record = log.next().orElseThrow(() -> new IOException("It is cut off."));
      return OverallMetadata.decode(record);
    } catch (IOException e) {
      throw FirestoreServerException.invalid(
          UNREADABLE + " " + overallFile + ": " + e.getMessage());
    }
  }

  private void requireVersion(LogReader log) {
    try {
      Optional<byte[]> version = log.next();
      if (version.isPresent()
          && version.get().length == 1
          && version.get()[0] == OverallMetadata.VERSION) {
        return;
      }
      throw FirestoreServerException.invalid(OTHER_VERSION + ": " + overallFile);
    } catch (IOException e) {
      throw FirestoreServerException.invalid(
          OTHER_VERSION + ": " + overallFile + ". " + e.getMessage());
    }
  }

  private void read(OverallMetadata.Kind kind, Consumer consumer) {
    Path kindFile = beside(overallFile.toAbsolutePath(), kind.path());
    long count = 0;
    for (String output : kindMetadata(kindFile).outputs()) {
      count += readOutput(beside(kindFile, output), consumer);
    }
    if (kind.entities() >= 0 && count != kind.entities()) {
      throw FirestoreServerException.invalid(
          "Failed parse entity file:" + kindFile.resolveSibling("")
              + " holds " + count + " documents, but its metadata speaks of " + kind.entities()
              + ". A part of the export is missing.");
    }
  }

  private static KindMetadata kindMetadata(Path file) {
    requireFile(file, "");
    try (InputStream in = Files.newInputStream(file)) {
      byte[] all = in.readNBytes(LogFormat.MAX_RECORD + 1);
      if (all.length > LogFormat.MAX_RECORD) {
        throw new IOException("It is longer than " + LogFormat.MAX_RECORD + " bytes.");
      }
      return KindMetadata.decode(all);
    } catch (IOException e) {
      throw FirestoreServerException.invalid(
          "Failed to parse export metadata file " + file + ": " + e.getMessage());
    }
  }

  private static long readOutput(Path file, Consumer consumer) {
    requireFile(file, "Failed parse entity file:");
    long count = 0;
    try (LogReader log = new LogReader(file)) {
      for (Optional<byte[]> entity = log.next(); entity.isPresent(); entity = log.next()) {
        consumer.accept(entity.get());
        count++;
      }
      return count;
    } catch (IOException | ArithmeticException e) {
      throw refused(file, count + 1, e);
    } catch (FirestoreServerException e) {
      throw e.code() == Code.INVALID_ARGUMENT ? refused(file, count + 1, e) : e;
    }
  }

  private static FirestoreServerException refused(Path file, long document, Exception why) {
    return FirestoreServerException.invalid(
        "Failed parse entity file:" + file + " (document " + document + "). " + why.getMessage());
  }

  /** Refuses what is missing, and what is none: a pipe or a device may never end. */
  private static void requireFile(Path file, String failure) {
    if (!Files.isRegularFile(file)) {
      throw FirestoreServerException.invalid(failure
          + file
          + (Files.exists(file) ? " is not a file" : " (No such file or directory)"));
    }
  }

  /** Returns the file of a relative path. An export is somebody else's text; it must not lead anywhere else. */
  private static Path beside(Path other, String path) {
    Path directory = other.resolveSibling("").normalize();
    try {
      Path file = directory.resolve(path).normalize();
      if (file.startsWith(directory) && !Path.of(path).isAbsolute()) {
        return file;
      }
    } catch (InvalidPathException e) {
      // told below
    }
    throw FirestoreServerException.invalid(UNREADABLE + ": a path in it leads out of " + directory);
  }
}
