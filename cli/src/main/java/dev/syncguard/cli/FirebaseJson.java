package dev.syncguard.cli;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a {@code firebase.json} and the {@code .firebaserc} beside it say about Firestore.
 *
 * @param host where the emulator is to listen, if it is said
 * @param port that of the emulator, if it is said
 * @param project the default project, if there is one
 */
record FirebaseJson(
    Optional<String> host,
    Optional<Integer> port,
    Optional<String> project,
    List<Database> databases) {

  /** A database, with the files that it is deployed with. */
  record Database(String id, Optional<Path> rules, Optional<Path> indexes) {}

  /** Says what is wrong with the file. */
  static final class Unreadable extends Exception {
    private static final long serialVersionUID = 1;

    Unreadable(String message) {
      super(message);
    }
  }

  static FirebaseJson read(Path file) throws Unreadable {
    JsonObject root = object(file);
    JsonObject emulator = child(child(root, "emulators"), "firestore");
    List<Database> databases = new ArrayList<>();
    JsonElement firestore = root.get("firestore");
    if (firestore != null && firestore.isJsonArray()) {
      for (JsonElement each : firestore.getAsJsonArray()) {
        databases.add(database(file, each));
      }
    } else if (firestore != null) {
      databases.add(database(file, firestore));
    }
    try {
      return new FirebaseJson(
          text(emulator, "host"),
          Optional.ofNullable(emulator.get("port")).map(JsonElement::getAsInt),
          project(file.resolveSibling(".firebaserc")),
          databases);
    } catch (NumberFormatException | IllegalStateException | UnsupportedOperationException e) {
      throw new Unreadable("emulators.firestore.port in " + file + " is not a number");
    }
  }

  /** Returns the files of the database that has no name. */
  Optional<Database> defaultDatabase() {
    return databases.stream().filter(each -> each.id().equals("(default)")).findFirst();
  }

  private static Database database(Path file, JsonElement entry) throws Unreadable {
    if (!entry.isJsonObject()) {
      throw new Unreadable("firestore in " + file + " must be an object or a list of objects");
    }
    JsonObject fields = entry.getAsJsonObject();
    for (String name : List.of("database", "rules", "indexes")) {
      JsonElement value = fields.get(name);
      if (value != null && !value.isJsonPrimitive()) { // open to everybody, if it were ignored
        throw new Unreadable("firestore." + name + " in " + file + " must be a string");
      }
    }
    return new Database(
        text(fields, "database").orElse("(default)"),
        text(fields, "rules").map(file::resolveSibling),
        text(fields, "indexes").map(file::resolveSibling));
  }

  private static Optional<String> project(Path file) throws Unreadable {
    return Files.exists(file) ? text(child(object(file), "projects"), "default") : Optional.empty();
  }

  private static JsonObject object(Path file) throws Unreadable {
    try {
      JsonObject read = new Gson().fromJson(Files.readString(file), JsonObject.class);
      if (read != null) {
        return read;
      }
    } catch (IOException e) {
      throw new Unreadable("The file " + file + " cannot be read");
    } catch (JsonParseException e) {
      // told below
    }
    throw new Unreadable("The file " + file + " is not a JSON object");
  }

  private static JsonObject child(JsonObject parent, String name) {
    JsonElement child = parent.get(name);
    return child != null && child.isJsonObject() ? child.getAsJsonObject() : new JsonObject();
  }

  private static Optional<String> text(JsonObject parent, String name) {
    JsonElement value = parent.get(name);
    return value != null && value.isJsonPrimitive()
        ? Optional.of(value.getAsString())
        : Optional.empty();
  }
}
