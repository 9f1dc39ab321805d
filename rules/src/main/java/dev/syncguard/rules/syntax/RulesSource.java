package dev.syncguard.rules.syntax;

import java.util.List;

/**
 * All that a source says.
 *
 * @param version 1 or 2
 * @param functions those outside of any service
 * @param expressions how many there are; their ids are the numbers below that
 */
public record RulesSource(
    String text,
    int version,
    List<FunctionDeclaration> functions,
    List<Service> services,
    int expressions) {
  /** The name of the service that these rules are for. */
  public static final String FIRESTORE = "cloud.firestore";

  /** {@code service name}. */
  public record Service(
      SourceRange range,
      String name,
      List<FunctionDeclaration> functions,
      List<MatchBlock> matches) {}
}
