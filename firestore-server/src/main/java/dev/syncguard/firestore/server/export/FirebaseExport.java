package dev.syncguard.firestore.server.export;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import dev.syncguard.firestore.server.FirestoreServerException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** A directory as the tools of Firebase export to and import from: a description, and below it an export. */
public final class FirebaseExport {
  /** The name that the tools give to the export of a Firestore. */
  public static final String NAME = "firestore_export";

  private static final String DESCRIPTION = "firebase-export-metadata.json";
  private static final Gson JSON =
      new GsonBuilder().setPrettyPrinting().disableHtmlEscaping().create();

  private FirebaseExport() {}

  /**
   * Returns the overall file of the export that a path stands for, or nothing if it is one of other products only.
   *
   * @param path a directory as above, the directory of an export from production, or the overall file itself
   */
  public static Optional<Path> find(Path path) {
    if (!Files.isDirectory(path)) {
      return Optional.of(path);
    }
    try {
      if (Files.exists(path.resolve(DESCRIPTION))) {
        return described(path);
      }
      try (Stream<Path> files = Files.list(path)) {
        return Optional.of(files
            .filter(file -> file.getFileName().toString().endsWith(ExportWriter.OVERALL))
            .sorted()
            .findFirst()
            .orElseThrow(() ->
                FirestoreServerException.invalid("There is no export in " + path + ": neither "
                    + DESCRIPTION + " nor a file that ends in " + ExportWriter.OVERALL)));
      }
    } catch (IOException e) {
      throw FirestoreServerException.invalid("The directory " + path + " cannot be read");
    }
  }

  private static Optional<Path> described(Path directory) throws IOException {
    JsonElement firestore = description(directory).get("firestore");
    if (firestore == null) {
      return Optional.empty();
    }
    JsonElement file =
        firestore.isJsonObject() ? firestore.getAsJsonObject().get("metadata_file") : null;
    if (file == null || !file.isJsonPrimitive()) {
      throw FirestoreServerException.invalid(
          directory.resolve(DESCRIPTION) + " names no metadata_file of firestore");
    }
    return Optional.of(directory.resolve(file.getAsString().replace('\\', '/')));
  }

  /** Describes the export in the directory, leaving what is said of other products. */
  static void describe(Path directory, String version) throws IOException {
    JsonObject description =
        Files.exists(directory.resolve(DESCRIPTION)) ? description(directory) : new JsonObject();
    if (!description.has("version")) {
      description.addProperty("version", version);
    }
    JsonObject firestore = new JsonObject();
    firestore.addProperty("version", version);
    firestore.addProperty("path", NAME);
    firestore.addProperty("metadata_file", NAME + "/" + NAME + ExportWriter.OVERALL);
    description.add("firestore", firestore);
    Files.writeString(directory.resolve(DESCRIPTION), JSON.toJson(description) + "\n", UTF_8);
  }

  private static JsonObject description(Path directory) throws IOException {
    Path file = directory.resolve(DESCRIPTION);
    try {
      JsonObject read = JSON.fromJson(Files.readString(file, UTF_8), JsonObject.class);
      if (read != null) {
        return read;
      }
    } catch (JsonParseException e) {
      // told below
    }
    throw FirestoreServerException.invalid(file + " is not a JSON object");
  }
}
