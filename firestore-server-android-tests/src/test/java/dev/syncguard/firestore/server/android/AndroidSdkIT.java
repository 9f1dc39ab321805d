package dev.syncguard.firestore.server.android;

import static dev.syncguard.firestore.server.android.Phone.await;
import static dev.syncguard.firestore.server.android.Snapshots.ids;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.android.gms.tasks.Task;
import com.google.firebase.firestore.AggregateField;
import com.google.firebase.firestore.AggregateQuerySnapshot;
import com.google.firebase.firestore.AggregateSource;
import com.google.firebase.firestore.CollectionReference;
import com.google.firebase.firestore.DocumentReference;
import com.google.firebase.firestore.DocumentSnapshot;
import com.google.firebase.firestore.FieldPath;
import com.google.firebase.firestore.FieldValue;
import com.google.firebase.firestore.Filter;
import com.google.firebase.firestore.FirebaseFirestore;
import com.google.firebase.firestore.FirebaseFirestoreException;
import com.google.firebase.firestore.FirebaseFirestoreException.Code;
import com.google.firebase.firestore.Query;
import com.google.firebase.firestore.Query.Direction;
import com.google.firebase.firestore.SetOptions;
import com.google.firebase.firestore.Source;
import com.google.firebase.firestore.WriteBatch;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What apps on phones do with Firestore, done by the SDK for Android itself. */
@Timeout(400)
class AndroidSdkIT {
  /** How long the server stays away; the SDK tries again after 1 s, then after 1.5 times as long, up to a minute. */
  private static final Duration AWAY =
      Duration.ofSeconds(Long.getLong("syncguard.android.away", 6));

  @TempDir
  static Path directory;

  private static FirestoreProcess server;
  private static Phone phone;
  private static FirebaseFirestore firestore;

  @BeforeAll
  static void start() throws Exception {
    server = FirestoreProcess.start(directory);
    phone = Phone.connectedTo(server.port());
    firestore = phone.firestore();
  }

  @AfterAll
  static void stop() throws Exception {
    phone.close();
    server.close();
  }

  private static DocumentSnapshot read(DocumentReference document) throws Exception {
    return await(document.get(Source.SERVER));
  }

  private static CollectionReference numbers(String name, int count) throws Exception {
    CollectionReference numbers = firestore.collection(name);
    for (int from = 0; from < count; from += 400) {
      WriteBatch batch = firestore.batch();
      for (int i = from; i < Math.min(count, from + 400); i++) {
        batch.set(numbers.document("d" + i), Map.of("n", i, "even", i % 2 == 0));
      }
      await(batch.commit());
    }
    return numbers;
  }

  private static List<String> found(Query query) throws Exception {
    return ids(await(query.get(Source.SERVER)));
  }

  @Test
  void documentsAreSetReadUpdatedAndDeleted() throws Exception {
    DocumentReference city = firestore.document("cities/la");
    await(city.set(
        Map.of("name", "Los Angeles", "at", Map.of("lat", 34.05), "tags", List.of("a", "b"))));
    await(city.set(Map.of("at", Map.of("lon", -118.24)), SetOptions.merge()));
    await(city.update(
        "tags", FieldValue.arrayUnion("c"),
        "visits", FieldValue.increment(2),
        "seen", FieldValue.serverTimestamp(),
        "name", FieldValue.delete()));
    DocumentSnapshot read = read(city);
    assertThat(read.get("at")).isEqualTo(Map.of("lat", 34.05, "lon", -118.24));
    assertThat(read.get("tags")).isEqualTo(List.of("a", "b", "c"));
    assertThat(read.getLong("visits")).isEqualTo(2);
    assertThat(read.getTimestamp("seen")).isNotNull();
    assertThat(read.contains("name")).isFalse();
    await(city.delete());
    assertThat(read(city).exists()).isFalse();
    assertCode(Code.NOT_FOUND, city.update("a", 1));
  }

  private static void assertCode(Code code, Task<?> task) {
    assertThatThrownBy(() -> await(task))
        .isInstanceOf(ExecutionException.class)
        .cause()
        .isInstanceOfSatisfying(
            FirebaseFirestoreException.class,
            failure -> assertThat(failure.getCode()).isEqualTo(code));
  }

  @Test
  void queriesFilterOrderAndPage() throws Exception {
    CollectionReference numbers = numbers("numbers", 8);
    assertThat(found(numbers.whereGreaterThan("n", 2).whereEqualTo("even", true)))
        .containsExactly("d4", "d6");
    assertThat(found(numbers.whereIn("n", List.of(1, 7, 99))))
        .containsExactlyInAnyOrder("d1", "d7");
    assertThat(found(
            numbers.whereNotIn(FieldPath.documentId(), List.of("d0", "d1", "d2", "d3", "d4"))))
        .containsExactly("d5", "d6", "d7");
    assertThat(found(numbers.where(Filter.or(Filter.lessThan("n", 1), Filter.greaterThan("n", 6)))))
        .containsExactlyInAnyOrder("d0", "d7");
    Query backwards = numbers.orderBy("n", Direction.DESCENDING).limit(3);
    List<DocumentSnapshot> page = await(backwards.get(Source.SERVER)).getDocuments();
    assertThat(found(backwards.startAfter(page.get(2)))).containsExactly("d4", "d3", "d2");
    assertThat(found(numbers.orderBy("n").limitToLast(2))).containsExactly("d6", "d7");
  }

  @Test
  void aggregationsAreCountedByTheServer() throws Exception {
    CollectionReference numbers = numbers("counted", 5);
    AggregateField sum = AggregateField.sum("n");
    AggregateField average = AggregateField.average("n");
    AggregateQuerySnapshot result =
        await(numbers.aggregate(AggregateField.count(), sum, average).get(AggregateSource.SERVER));
    assertThat(result.getCount()).isEqualTo(5);
    assertThat(result.get(sum)).isEqualTo(10L);
    assertThat(result.get(average)).isEqualTo(2.0);
  }

  @Test
  void aListenerHearsLocalAndRemoteChanges() throws Exception {
    CollectionReference heard = numbers("heard", 3);
    try (Phone other = Phone.connectedTo(server.port());
        Snapshots snapshots = new Snapshots(heard.whereLessThan("n", 100))) {
      assertThat(ids(snapshots.until(Snapshots::isFromServer))).containsExactly("d0", "d1", "d2");
      Task<Void> written = heard.document("local").set(Map.of("n", 50));
      assertThat(snapshots.until(at -> at.size() == 4).getMetadata().hasPendingWrites())
          .isTrue();
      await(written);
      snapshots.until(Snapshots::isFromServer);
      await(other.firestore().document("heard/remote").set(Map.of("n", 60)));
      assertThat(ids(snapshots.until(at -> at.size() == 5))).contains("remote");
      await(other.firestore().document("heard/d0").update("n", 100));
      assertThat(ids(snapshots.until(at -> at.size() == 4))).doesNotContain("d0");
    }
  }

  @Test
  void aThousandDocumentsArriveInOneSnapshot() throws Exception {
    try (Snapshots snapshots = new Snapshots(numbers("many", 1000))) {
      assertThat(snapshots.until(Snapshots::isFromServer).size()).isEqualTo(1000);
    }
  }

  @Test
  void transactionsOfTwoPhonesLoseNoUpdate() throws Exception {
    await(firestore.document("counters/shared").set(Map.of("n", 0)));
    try (Phone other = Phone.connectedTo(server.port())) {
      List<Task<Long>> tasks = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        for (FirebaseFirestore each : List.of(firestore, other.firestore())) {
          DocumentReference counter = each.document("counters/shared");
          tasks.add(each.runTransaction(transaction -> {
            long n = transaction.get(counter).getLong("n") + 1;
            transaction.update(counter, "n", n);
            return n;
          }));
        }
      }
      List<Long> results = new ArrayList<>();
      int lost = 0;
      for (Task<Long> task : tasks) {
        try {
          results.add(await(task));
        } catch (ExecutionException contended) { // five attempts are all that the SDK makes
          lost++;
        }
      }
      assertThat(read(firestore.document("counters/shared")).getLong("n")).isEqualTo(8 - lost);
      assertThat(results).doesNotHaveDuplicates().isNotEmpty();
    }
  }

  @Test
  void aBatchIsWrittenAsAWholeOrNotAtAll() throws Exception {
    DocumentReference first = firestore.document("batches/first");
    assertCode(
        Code.NOT_FOUND,
        firestore
            .batch()
            .set(first, Map.of("n", 1))
            .update(firestore.document("batches/missing"), "n", 1)
            .commit());
    assertThat(read(first).exists()).isFalse();
    await(firestore
        .batch()
        .set(first, Map.of("n", 1))
        .delete(firestore.document("batches/missing"))
        .commit());
    assertThat(read(first).getLong("n")).isEqualTo(1);
  }

  @Test
  void whatIsWrittenOfflineArrivesWhenThePhoneIsBack() throws Exception {
    try (Phone traveller = Phone.connectedTo(server.port())) {
      FirebaseFirestore away = traveller.firestore();
      await(away.document("travels/1").set(Map.of("n", 1)));
      try (Snapshots snapshots = new Snapshots(away.collection("travels"))) {
        snapshots.until(Snapshots::isFromServer);
        await(away.disableNetwork());
        Task<Void> pending = away.document("travels/2").set(Map.of("n", 2));
        snapshots.until(at -> at.size() == 2 && at.getMetadata().hasPendingWrites());
        await(firestore.document("travels/3").set(Map.of("n", 3)));
        await(away.enableNetwork());
        await(pending);
        assertThat(ids(snapshots.until(at -> at.size() == 3 && Snapshots.isFromServer(at))))
            .containsExactly("1", "2", "3");
      }
    }
  }

  @Test
  void aPhoneOutlivesAServerThatWasAwayForLong() throws Exception {
    CollectionReference kept = numbers("kept", 3);
    try (Snapshots snapshots = new Snapshots(kept)) {
      snapshots.until(Snapshots::isFromServer);
      server.kill();
      Task<Void> pending = kept.document("pending").set(Map.of("n", 9));
      snapshots.until(at -> at.getMetadata().isFromCache() && at.size() == 4);
      Thread.sleep(AWAY.toMillis());
      server.startAgain();
      await(pending);
      assertThat(ids(snapshots.until(Snapshots::isFromServer)))
          .containsExactly("d0", "d1", "d2", "pending");
      await(kept.document("later").set(Map.of("n", 10)));
      snapshots.until(at -> at.size() == 5 && Snapshots.isFromServer(at));
    }
  }

  @Test
  void whatAPhoneKeepsOnItsDiskIsSentAfterItsRestart() throws Exception {
    try (Phone keeping = Phone.keeping(directory, server.port())) {
      DocumentReference diary = keeping.firestore().document("diaries/mine");
      await(diary.set(Map.of("day", 1)));
      await(keeping.firestore().disableNetwork());
      Task<Void> unsent = diary.update("day", 2);
      assertThat(await(diary.get(Source.CACHE)).getLong("day")).isEqualTo(2);
      assertThat(unsent.isComplete()).isFalse();
      keeping.restart();
      DocumentReference again = keeping.firestore().document("diaries/mine");
      assertThat(await(again.get(Source.CACHE)).getLong("day")).isEqualTo(2);
      await(keeping.firestore().waitForPendingWrites());
      assertThat(read(firestore.document("diaries/mine")).getLong("day")).isEqualTo(2);
    }
  }

  @Test
  void rulesJudgeWhoIsSignedIn() throws Exception {
    assertCode(Code.PERMISSION_DENIED, firestore.document("private/alice").set(Map.of("n", 1)));
    try (Snapshots snapshots = new Snapshots(firestore.collection("private"))) {
      assertThat(snapshots.failure().getCode()).isEqualTo(Code.PERMISSION_DENIED);
    }
    try (SignIn signIn = new SignIn("alice");
        Phone alices = Phone.connectedTo(server.port())) {
      alices.signIn(signIn);
      DocumentReference hers = alices.firestore().document("private/alice");
      await(hers.set(Map.of("n", 1)));
      assertThat(read(hers).getLong("n")).isEqualTo(1);
      assertCode(
          Code.PERMISSION_DENIED, alices.firestore().document("private/bob").get(Source.SERVER));
    }
  }

  @Test
  void textsOfEveryScriptAndLargeDocumentsComeBack() throws Exception {
    for (String id : Arrays.asList("ä ö", "日本語", "😀", "a+b&c=d%2F", "it's")) {
      await(firestore.document("scripts/" + id).set(Map.of("text", id)));
      assertThat(read(firestore.document("scripts/" + id)).getString("text")).isEqualTo(id);
    }
    DocumentReference large = firestore.document("scripts/large");
    await(large.set(Map.of("text", "é".repeat(500_000))));
    assertThat(read(large).getString("text")).hasSize(500_000);
    assertCode(Code.INVALID_ARGUMENT, large.set(Map.of("text", "x".repeat(1_048_600))));
  }
}
