package dev.syncguard.rules.syntax;

import java.util.List;

/** A function that the source declares. */
public record FunctionDeclaration(
    Site site, String name, List<String> parameters, List<Let> lets, Expression result) {
  /** {@code let name = value}. */
  public record Let(Site site, String name, Expression value) {}
}
