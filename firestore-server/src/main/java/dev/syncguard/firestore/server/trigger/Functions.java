package dev.syncguard.firestore.server.trigger;

import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.name.DatabaseName;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The functions of the functions emulator of Firebase's tools, which says itself what they are to be told. It gives a function a
 * new key when its source has changed, and answers that the old one is gone. Thread-safe.
 */
public final class Functions {
  private static final Pattern KEY = Pattern.compile("[\\w.-]{1,300}");
  private static final Pattern RESOURCE =
      Pattern.compile("(projects/[^/]+/databases/[^/]+)/documents/(.+)");
  private static final Pattern FIRST_GENERATION =
      Pattern.compile("providers/cloud\\.firestore/eventTypes/document\\.(\\w+)");
  private static final Pattern SECOND_GENERATION =
      Pattern.compile("google\\.cloud\\.firestore\\.document\\.v1\\.(\\w+?)(\\.withAuthContext)?");
  private static final Map<String, DocumentEvent.Kind> KINDS = Map.of(
      "create", DocumentEvent.Kind.CREATED,
      "update", DocumentEvent.Kind.UPDATED,
      "delete", DocumentEvent.Kind.DELETED,
      "write", DocumentEvent.Kind.WRITTEN,
      "created", DocumentEvent.Kind.CREATED,
      "updated", DocumentEvent.Kind.UPDATED,
      "deleted", DocumentEvent.Kind.DELETED,
      "written", DocumentEvent.Kind.WRITTEN);

  private final Triggers triggers;
  private final @Nullable URI emulator;

  /**
   * Creates the place where functions are registered as triggers.
   *
   * @param emulator where functions are run, if anywhere
   */
  public Functions(Triggers triggers, @Nullable URI emulator) {
    this.triggers = triggers;
    this.emulator = emulator;
  }

  /** Registers a function of the first generation, whose resource is the full name of documents. */
  public void registerFirst(String project, String key, String type, String resource) {
    Matcher parts = RESOURCE.matcher(resource);
    if (!parts.matches()) {
      throw FirestoreServerException.invalid(
          "The resource of a function is the name of documents.");
    }
    register(
        project,
        key,
        FunctionCall.Generation.FIRST,
        type,
        kind(FIRST_GENERATION, type),
        DatabaseName.parse(parts.group(1)),
        parts.group(2));
  }

  /** Registers a function of the second generation. */
  public void registerSecond(
      String project, String key, String type, String database, String document) {
    register(
        project,
        key,
        FunctionCall.Generation.SECOND,
        type,
        kind(SECOND_GENERATION, type),
        DatabaseName.parse("projects/" + project + "/databases/" + database),
        document);
  }

  private void register(
      String project,
      String key,
      FunctionCall.Generation generation,
      String type,
      DocumentEvent.Kind kind,
      DatabaseName database,
      String path) {
    if (emulator == null) {
      throw FirestoreServerException.failedPrecondition(
          "Nobody has said where functions run. Start with --functions HOST:PORT, or functionsEmulator.");
    }
    if (!KEY.matcher(key).matches()) {
      throw FirestoreServerException.invalid(
          "The key of a function has letters, digits, . _ and -.");
    }
    URI address = emulator.resolve("/functions/projects/" + project + "/triggers/" + key);
    String name = project + "/" + key;
    triggers.register(
        name,
        new Trigger(
            kind,
            Optional.of(database),
            pattern(path),
            new FunctionCall(address, generation, type, () -> triggers.unregister(name))));
  }

  private static PathPattern pattern(String path) {
    try {
      return PathPattern.of(path.startsWith("/") ? path.substring(1) : path);
    } catch (IllegalArgumentException e) {
      throw FirestoreServerException.invalid(String.valueOf(e.getMessage()));
    }
  }

  private static DocumentEvent.Kind kind(Pattern types, String type) {
    Matcher known = types.matcher(type);
    DocumentEvent.Kind kind = known.matches() ? KINDS.get(known.group(1)) : null;
    if (kind == null) {
      throw FirestoreServerException.invalid("There are no events of type \"" + type + "\".");
    }
    return kind;
  }
}
