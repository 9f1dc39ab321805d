package dev.syncguard.rules.syntax;

import java.util.List;

/** A function that the source declares. */
public record FunctionDeclaration(
    SourceRange range, String name, List<String> parameters, List<Let> lets, Expression result) {
  /** {@code let name = value}. */
  public record Let(SourceRange range, String name, Expression value) {}
}
