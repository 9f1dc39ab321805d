package dev.syncguard.firestore.server.name;

import dev.syncguard.firestore.server.FirestoreServerException;

/** A database of a project. */
public record DatabaseName(String project, String database) {
  private static final int MAX_LENGTH = 256;

  public DatabaseName {
    check(project);
    check(database);
  }

  /** Returns the database named {@code projects/P/databases/D}. */
  public static DatabaseName parse(String name) {
    String[] parts = name.split("/", -1);
    if (parts.length != 4 || !parts[0].equals("projects") || !parts[2].equals("databases")) {
      throw FirestoreServerException.invalid(
          "Invalid database name: it must be projects/{project}/databases/{database}.");
    }
    return new DatabaseName(parts[1], parts[3]);
  }

  /** Returns the name below which all documents live. */
  public String documents() {
    return this + "/documents";
  }

  @Override
  public String toString() {
    return "projects/" + project + "/databases/" + database;
  }

  private static void check(String id) {
    if (id.isEmpty() || id.length() > MAX_LENGTH || id.indexOf('/') >= 0) {
      throw FirestoreServerException.invalid("Invalid project or database id.");
    }
  }
}
