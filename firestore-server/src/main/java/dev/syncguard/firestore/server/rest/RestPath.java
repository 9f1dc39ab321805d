package dev.syncguard.firestore.server.rest;

import dev.syncguard.firestore.server.FirestoreServerException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The part of a URL that names something: a database, the ids below its root, and after a colon the verb of a POST.
 */
record RestPath(String database, List<String> ids, String verb) {
  private static final int DOCUMENTS = 4;

  /**
   * Reads {@code projects/P/databases/D/documents/...}, or returns nothing if it is something else.
   *
   * @param withVerb whether a colon in the last segment starts a verb; ids may hold colons, too
   */
  static Optional<RestPath> parse(String rawPath, boolean withVerb) {
    List<String> segments = new ArrayList<>(List.of(rawPath.split("/", -1)));
    String verb = "";
    if (withVerb) {
      String last = segments.get(segments.size() - 1);
      int colon = last.lastIndexOf(':');
      if (colon >= 0) {
        verb = last.substring(colon + 1);
        segments.set(segments.size() - 1, last.substring(0, colon));
      }
    }
    if (segments.size() <= DOCUMENTS
        || !segments.get(0).equals("projects")
        || !segments.get(2).equals("databases")
        || !segments.get(DOCUMENTS).equals("documents")) {
      return Optional.empty();
    }
    String database =
        "projects/" + decode(segments.get(1)) + "/databases/" + decode(segments.get(3));
    if (segments.get(segments.size() - 1).isEmpty() && segments.size() % 2 == 1) {
      throw FirestoreServerException.invalid(
          "Document name \"" + rawPath + "\" has invalid trailing \"/\".");
    }
    List<String> ids = segments.subList(DOCUMENTS + 1, segments.size()).stream()
        .map(RestPath::decode)
        .toList();
    return Optional.of(new RestPath(database, ids, verb));
  }

  String root() {
    return database + "/documents";
  }

  /** Returns the full name of what the ids lead to. */
  String name() {
    return ids.isEmpty() ? root() : root() + "/" + String.join("/", ids);
  }

  /** Returns the full name of what lies one id higher. */
  String parent() {
    return ids.size() == 1
        ? root()
        : root() + "/" + String.join("/", ids.subList(0, ids.size() - 1));
  }

  String lastId() {
    return ids.get(ids.size() - 1);
  }

  /** Returns whether the path ends with a slash: then it stands for all collections below. */
  boolean isOpen() {
    return isCollection() && lastId().isEmpty();
  }

  boolean isDocument() {
    return !ids.isEmpty() && ids.size() % 2 == 0;
  }

  boolean isCollection() {
    return ids.size() % 2 == 1;
  }

  private static String decode(String segment) {
    String decoded;
    try {
      decoded = URLDecoder.decode(segment.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw FirestoreServerException.invalid("The path is not well encoded.");
    }
    if (decoded.indexOf('/') >= 0) {
      throw FirestoreServerException.invalid("An id must not contain \"/\".");
    }
    return decoded;
  }
}
