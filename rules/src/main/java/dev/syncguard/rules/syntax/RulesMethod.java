package dev.syncguard.rules.syntax;

import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a request can do to documents. */
public enum RulesMethod {
  /** Reads one document. */
  GET,
  /** Reads what a query finds. */
  LIST,
  /** Writes a document that is not there. */
  CREATE,
  /** Writes a document that is there. */
  UPDATE,
  /** Deletes a document. */
  DELETE;

  /** Returns the word for it in rules. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns whether documents differ afterwards. */
  public boolean isWrite() {
    return this == CREATE || this == UPDATE || this == DELETE;
  }

  /** Returns what a word after {@code allow} stands for, or null if it is no such word. */
  static @Nullable Set<RulesMethod> allowedBy(String word) {
    return switch (word) {
      case "read" -> Set.of(GET, LIST);
      case "write" -> Set.of(CREATE, UPDATE, DELETE);
      case "get" -> Set.of(GET);
      case "list" -> Set.of(LIST);
      case "create" -> Set.of(CREATE);
      case "update" -> Set.of(UPDATE);
      case "delete" -> Set.of(DELETE);
      default -> null;
    };
  }
}
