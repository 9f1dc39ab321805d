package dev.syncguard.rules;

import dev.syncguard.rules.query.RulesQuery;
import dev.syncguard.rules.syntax.RulesMethod;
import dev.syncguard.rules.value.RulesValue.MapValue;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * One thing that somebody wants to do: to one document, or with a query. Thread-safe.
 *
 * @param document the ids that lead to the document; none for a query
 * @param query what is looked for; only for {@code list}
 * @param before the fields of the document as it is, if it exists
 * @param after the fields that it would have, transforms included; only for {@code create} and {@code update}
 */
public record RulesRequest(
    RulesMethod method,
    String database,
    List<String> document,
    Optional<RulesQuery> query,
    Optional<RulesAuth> auth,
    Instant time,
    Optional<MapValue> before,
    Optional<MapValue> after) {
  private static final String DEFAULT_DATABASE = "(default)";

  public RulesRequest {
    document = List.copyOf(document);
    if ((method == RulesMethod.LIST) != query.isPresent()) {
      throw new IllegalArgumentException("A list needs a query, and nothing else has one");
    }
    if (query.isPresent() != document.isEmpty() || document.size() % 2 != 0) {
      throw new IllegalArgumentException("The path of a document has an even number of ids");
    }
    if ((method == RulesMethod.CREATE || method == RulesMethod.UPDATE) != after.isPresent()) {
      throw new IllegalArgumentException("Only a create or an update leaves fields behind");
    }
  }

  /** Returns the request to read one document, such as {@code users/ann}, whether it exists or not. */
  public static RulesRequest get(String document, Optional<MapValue> before) {
    return of(RulesMethod.GET, ids(document), before, Optional.empty());
  }

  /** Returns the request to write one document: without fields after it a delete, without fields before it a create. */
  public static RulesRequest write(
      String document, Optional<MapValue> before, Optional<MapValue> after) {
    RulesMethod method = after.isEmpty()
        ? RulesMethod.DELETE
        : before.isEmpty() ? RulesMethod.CREATE : RulesMethod.UPDATE;
    return of(method, ids(document), before, after);
  }

  /** Returns the request to run a query. */
  public static RulesRequest list(RulesQuery query) {
    return new RulesRequest(
        RulesMethod.LIST,
        DEFAULT_DATABASE,
        List.of(),
        Optional.of(query),
        Optional.empty(),
        Instant.EPOCH,
        Optional.empty(),
        Optional.empty());
  }

  private static RulesRequest of(
      RulesMethod method,
      List<String> document,
      Optional<MapValue> before,
      Optional<MapValue> after) {
    return new RulesRequest(
        method,
        DEFAULT_DATABASE,
        document,
        Optional.empty(),
        Optional.empty(),
        Instant.EPOCH,
        before,
        after);
  }

  private static List<String> ids(String path) {
    return Arrays.asList(path.split("/", -1));
  }

  /** Returns the same request from somebody; without this, nobody is signed in. */
  public RulesRequest by(Optional<RulesAuth> auth) {
    return new RulesRequest(method, database, document, query, auth, time, before, after);
  }

  /** Returns the same request at a time. */
  public RulesRequest at(Instant time) {
    return new RulesRequest(method, database, document, query, auth, time, before, after);
  }

  /** Returns the same request for another database than {@code (default)}. */
  public RulesRequest in(String database) {
    return new RulesRequest(method, database, document, query, auth, time, before, after);
  }
}
