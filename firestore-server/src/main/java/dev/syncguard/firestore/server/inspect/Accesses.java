package dev.syncguard.firestore.server.inspect;

import com.google.firestore.v1.StructuredQuery;
import dev.syncguard.firestore.server.auth.Access;
import java.util.List;

/** Says in a few words what a request wants. */
final class Accesses {
  private Accesses() {}

  static String describe(Access what) {
    if (what instanceof Access.Get get) {
      return first(
          get.documents().stream().map(read -> read.name().path()).limit(2).toList(),
          get.documents().size());
    } else if (what instanceof Access.Commit commit) {
      return first(
          commit.writes().stream().map(write -> write.name().path()).limit(2).toList(),
          commit.writes().size());
    } else if (what instanceof Access.Find find) {
      return query(find.parent().path(), find.query());
    }
    return what instanceof Access.Administer administer ? administer.action() : "an earlier time";
  }

  private static String first(List<String> paths, int all) {
    return paths.isEmpty() ? "" : paths.get(0) + (all > 1 ? " and " + (all - 1) + " more" : "");
  }

  static String query(String parent, StructuredQuery query) {
    String below = parent.isEmpty() ? "" : parent + "/";
    if (query.getFromCount() == 0) {
      return below + "*";
    }
    String id = query.getFrom(0).getCollectionId();
    return below + (query.getFrom(0).getAllDescendants() ? "**/" : "") + (id.isEmpty() ? "*" : id);
  }
}
