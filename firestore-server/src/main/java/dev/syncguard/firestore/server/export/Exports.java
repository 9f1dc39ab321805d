package dev.syncguard.firestore.server.export;

import com.google.firestore.v1.Document;
import com.google.firestore.v1.Write;
import com.google.protobuf.ByteString;
import com.google.rpc.Code;
import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.name.DatabaseName;
import dev.syncguard.firestore.server.operation.Databases;
import dev.syncguard.firestore.server.store.CommitGate;
import dev.syncguard.firestore.server.write.PlannedWrite;
import dev.syncguard.firestore.server.write.SizeLimits;
import dev.syncguard.firestore.server.write.WritePlanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Writes databases to disk and reads them back, in the format of the official emulator. Thread-safe. */
public final class Exports {
  private final Databases databases;
  private final InstantSource time;

  /** Makes the exports and imports of these databases. */
  public Exports(Databases databases, InstantSource time) {
    this.databases = databases;
    this.time = time;
  }

  /**
   * Writes all documents of a database, as they are at one moment, and returns how many there are. An export of that name is
   * replaced, but not before the new one is complete.
   *
   * @param directory must exist
   * @param name of the export; empty for one that tells the time
   */
  public synchronized long write(DatabaseName database, Path directory, String name) {
    if (!Files.isDirectory(directory)) {
      throw FirestoreServerException.failedPrecondition("export_directory must be a directory");
    }
    String chosen = name.isEmpty() ? "firestore_export_" + time.instant().getEpochSecond() : name;
    if (chosen.equals(".") || chosen.equals("..") || chosen.matches(".*[/\\\\\0].*")) {
      throw failed("the name of an export is that of a directory, without any slash", null);
    }
    try {
      return new ExportWriter(directory, chosen, time).write(new ExportSource(databases, database));
    } catch (IOException e) {
      throw failed(String.valueOf(e.getMessage()), e);
    }
  }

  private static FirestoreServerException failed(String reason, @Nullable IOException cause) {
    String message = "failed to write export: " + reason;
    return cause == null
        ? new FirestoreServerException(Code.INTERNAL, message)
        : new FirestoreServerException(Code.INTERNAL, message, cause);
  }

  /**
   * Reads the documents of an export into a database, all in one commit or, if anything is wrong with it, none. Those of
   * other databases are left out; what is in the database and not in the export stays.
   *
   * @param overallFile the file of the export that ends in {@code .overall_export_metadata}
   */
  public void read(DatabaseName database, Path overallFile) {
    List<PlannedWrite> writes = plan(database, overallFile);
    if (!writes.isEmpty()) {
      databases.get(database).transactions().commit(ByteString.EMPTY, writes, CommitGate.QUIET);
    }
  }

  /** Writes the default database of a project the way the tools of Firebase do, and returns how many documents it has. */
  public synchronized long writeForFirebase(String project, Path directory, String version) {
    try {
      Files.createDirectories(directory);
      long count = write(new DatabaseName(project, "(default)"), directory, FirebaseExport.NAME);
      FirebaseExport.describe(directory, version);
      return count;
    } catch (IOException e) {
      throw failed(String.valueOf(e.getMessage()), e);
    }
  }

  /** Returns what an import would write, or refuses the export. */
  static List<PlannedWrite> plan(DatabaseName database, Path overallFile) {
    List<PlannedWrite> writes = new ArrayList<>();
    each(database, overallFile, writes::add);
    return writes;
  }

  /** Hands over what an import would write, one after the other, or refuses the export. */
  static void each(DatabaseName database, Path overallFile, Consumer<PlannedWrite> writes) {
    EntityDecoder decoder = new EntityDecoder(database.project());
    new ExportReader(overallFile).read(entity -> {
      EntityDecoder.Decoded decoded = decoder.decode(entity);
      if (decoded.key().database().equals(database.database())) {
        writes.accept(plan(database, decoded));
      }
    });
  }

  /** Refuses an export of which a part could not be imported. */
  static void check(Path overallFile) {
    EntityDecoder decoder = new EntityDecoder("any");
    new ExportReader(overallFile).read(entity -> {
      EntityDecoder.Decoded decoded = decoder.decode(entity);
      plan(new DatabaseName("any", decoded.key().database()), decoded);
    });
  }

  private static PlannedWrite plan(DatabaseName database, EntityDecoder.Decoded decoded) {
    // Where the export was made, its documents were not too large.
    return new WritePlanner(database, SizeLimits.LARGE)
        .plan(Write.newBuilder()
            .setUpdate(Document.newBuilder()
                .setName(database.documents() + "/" + decoded.key().path())
                .putAllFields(decoded.fields()))
            .build());
  }
}
