package dev.syncguard.firestore.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.firestore.v1.Document;
import com.google.firestore.v1.Value;
import com.google.firestore.v1.Write;
import dev.syncguard.firestore.server.name.DatabaseName;
import dev.syncguard.firestore.server.value.FieldPath;
import dev.syncguard.firestore.server.value.Values;
import dev.syncguard.firestore.server.write.WritePlanner;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A commit visits those whom it concerns, and nobody else. */
class ObserversTest {
  private static final DatabaseName NAME = new DatabaseName("p", "d");
  private static final FieldPath FIELD = FieldPath.of("owner");
  private final Database database = new Database(
      NAME,
      Journal.NONE,
      InstantSource.system(),
      IndexPolicy.EVERYTHING,
      Database.HistoryLimits.DEFAULT);
  private final List<String> visits = new ArrayList<>();

  @Test
  void oneOfAThousandOnDocumentsCollectionsGroupsAndValuesEachIsVisited() {
    for (int i = 0; i < 1000; i++) {
      observe("document " + i, new Topic.OneDocument("c/d" + i));
      observe("collection " + i, new Topic.OneCollection("c" + i));
      observe("group " + i, new Topic.Group("c" + i));
      observe("value " + i, new Topic.OneCollection("c").with(FIELD, Values.of((long) i)));
    }
    set("c/d7", Values.of(13));
    assertThat(visits).containsExactlyInAnyOrder("document 7", "value 13");
    visits.clear();
    set("c8/x", Values.of(13));
    assertThat(visits).containsExactlyInAnyOrder("collection 8", "group 8");
    visits.clear();
    set("a/b/c8/x", Values.of(13));
    assertThat(visits).containsExactly("group 8");
  }

  @Test
  void aValueThatGoesConcernsItsObserversAsOneThatComesDoes() {
    set("c/x", Values.of(1));
    observe("one", new Topic.OneCollection("c").with(FIELD, Values.of(1)));
    observe("two", new Topic.OneCollection("c").with(FIELD, Values.of(2)));
    set("c/x", Values.of(2));
    assertThat(visits).containsExactlyInAnyOrder("one", "two");
    visits.clear();
    database.clear("", false);
    assertThat(visits).containsExactly("two");
  }

  @Test
  void valuesThatQueriesTakeForEqualAreOneTopic() {
    observe("zero", new Topic.OneCollection("c").with(FIELD, Values.of(0)));
    set("c/x", Values.of(-0.0));
    assertThat(visits).containsExactly("zero");
  }

  @Test
  void whoFollowsManyTopicsOfOneCommitIsToldOnceAndNotWhenItHasStopped() {
    Observation observation = database.observe(commit -> visits.add("all"));
    observation.follow(
        Set.of(new Topic.Everything(), new Topic.OneDocument("c/x"), new Topic.OneCollection("c")));
    set("c/x", Values.of(1));
    assertThat(visits).containsExactly("all");
    observation.follow(Set.of(new Topic.OneDocument("c/y")));
    set("c/x", Values.of(2));
    assertThat(visits).hasSize(1);
    set("c/y", Values.of(2));
    assertThat(visits).hasSize(2);
    observation.close();
    set("c/y", Values.of(3));
    observation.follow(Set.of(new Topic.Everything()));
    set("c/y", Values.of(4));
    assertThat(visits).hasSize(2);
  }

  private void observe(String who, Topic topic) {
    database.observe(commit -> visits.add(who)).follow(Set.of(topic));
  }

  private void set(String path, Value value) {
    Document document = Document.newBuilder()
        .setName(NAME.documents() + "/" + path)
        .putFields("owner", value)
        .build();
    database.commit(
        new WritePlanner(NAME)
            .plan(List.of(Write.newBuilder().setUpdate(document).build())),
        CommitGate.OPEN);
  }
}
