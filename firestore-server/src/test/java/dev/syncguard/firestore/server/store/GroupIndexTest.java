package dev.syncguard.firestore.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.firestore.v1.Document;
import com.google.firestore.v1.Write;
import dev.syncguard.firestore.server.name.DatabaseName;
import dev.syncguard.firestore.server.name.ParentName;
import dev.syncguard.firestore.server.value.FieldPath;
import dev.syncguard.firestore.server.value.Values;
import dev.syncguard.firestore.server.write.WritePlanner;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Many collections of one id are one scope: a query of the group does not visit each. */
class GroupIndexTest {
  private static final DatabaseName NAME = new DatabaseName("p", "d");
  private static final ParentName ROOT = new ParentName(NAME, "");
  private static final int PARENTS = 1000;
  private final Database database = new Database(
      NAME,
      Journal.NONE,
      InstantSource.system(),
      IndexPolicy.EVERYTHING,
      Database.HistoryLimits.DEFAULT);

  @Test
  void aThousandCollectionsAndTheOneAtTheTopAreTwoScopesThatFollowEveryChange() {
    for (int i = 0; i < PARENTS; i++) {
      set("users/u" + i + "/posts/a", i);
    }
    set("posts/top", 7);
    assertThat(database.<Integer>read(
            snapshot -> snapshot.descendants(ROOT, "posts").size()))
        .isEqualTo(2);
    assertThat(found(7)).containsExactlyInAnyOrder("users/u7/posts/a", "posts/top");

    set("users/u7/posts/a", 8);
    set("users/new/posts/b", 7);
    commit(Write.newBuilder().setDelete(NAME.documents() + "/posts/top"));
    assertThat(found(7)).containsExactly("users/new/posts/b");
    assertThat(found(8)).containsExactlyInAnyOrder("users/u7/posts/a", "users/u8/posts/a");
  }

  @Test
  void aFewCollectionsAreTheSameTwoScopes() {
    for (int i = 0; i < 4; i++) {
      set("users/u" + i + "/posts/a", 1);
    }
    assertThat(database.<Integer>read(
            snapshot -> snapshot.descendants(ROOT, "posts").size()))
        .isEqualTo(2);
    assertThat(found(1)).hasSize(4);
  }

  @Test
  void aGroupBelowOneDocumentLeavesOutAllOthers() {
    set("users/u1/posts/a", 1);
    set("users/u1/posts/a/posts/deeper", 1);
    set("users/u1x/posts/a", 1);
    set("users/u2/posts/a", 1);
    assertThat(names(new ParentName(NAME, "users/u1"), 1))
        .containsExactly("users/u1/posts/a", "users/u1/posts/a/posts/deeper");
    assertThat(names(new ParentName(NAME, "users/u1/posts/a"), 1))
        .containsExactly("users/u1/posts/a/posts/deeper");
  }

  private List<String> found(long value) {
    return names(ROOT, value);
  }

  /** Returns what a scan by value finds, which must be what a scan by name and a look at the value find. */
  private List<String> names(ParentName parent, long value) {
    return database.read(snapshot -> {
      List<String> paths = new ArrayList<>();
      for (CollectionView scope : snapshot.descendants(parent, "posts")) {
        scope
            .byValue(FieldPath.of("v"), IndexRange.only(Values.of(value)), false)
            .forEachRemaining(document ->
                paths.add(document.getName().substring(NAME.documents().length() + 1)));
      }
      List<String> looked = new ArrayList<>();
      for (CollectionView scope : snapshot.descendants(parent, "posts")) {
        scope.byName(null, null, false).forEachRemaining(document -> {
          if (document.getFieldsOrThrow("v").equals(Values.of(value))) {
            looked.add(document.getName().substring(NAME.documents().length() + 1));
          }
        });
      }
      assertThat(paths).containsExactlyElementsOf(looked);
      return paths;
    });
  }

  private void set(String path, long value) {
    commit(Write.newBuilder()
        .setUpdate(Document.newBuilder()
            .setName(NAME.documents() + "/" + path)
            .putFields("v", Values.of(value))));
  }

  private void commit(Write.Builder write) {
    database.commit(new WritePlanner(NAME).plan(List.of(write.build())), CommitGate.OPEN);
  }
}
