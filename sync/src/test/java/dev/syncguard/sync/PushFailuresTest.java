package dev.syncguard.sync;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What becomes of a push that is refused, or whose outcome nobody knows. */
@NullUnmarked
class PushFailuresTest {

  private final World world = new World();
  private final World.Device device = world.device();
  private final FakeFirestore firestore = world.firestore;

  @Test
  @Tag("PR-PERSIST-72")
  @Tag("T119")
  void aYesWithoutATokenProvesNothing() {
    World.Tab tab = device.started();
    for (String odd : List.of(
        "{}",
        "{\"writeResults\":[]}",
        "{\"writeResults\":[{}]}",
        "{\"writeResults\":[{\"updateTime\":\"\"}]}",
        "<html>")) {
      firestore.nextCommit(firestore.answer(200, odd));
    }
    tab.read("abc");
    world.passSeconds(9);
    assertThat(device.dirty(SyncedField.READ)).isTrue();
    int reads = firestore.fullReads().size();
    world.passMinutes(4);
    assertThat(firestore.fullReads().size()).as("each retry reads first").isGreaterThan(reads);
    assertThat(world.stored().read().value()).containsExactly("abc");
    assertThat(device.meta().dirty()).isFalse();
  }

  @Test
  @Tag("PR-PERSIST-72")
  @Tag("T118")
  void aWriteWhoseAnswerWasLostIsRecognised() {
    World.Tab tab = device.started();
    firestore.nextCommit(firestore.loseAnswer());
    tab.read("abc");
    world.passSeconds(30);
    assertThat(firestore.commits()).as("not written twice").hasSize(1);
    assertThat(device.meta().dirty()).isFalse();
    assertThat(tab.label()).startsWith("Sync: OK");
  }

  @Test
  @Tag("PR-PERSIST-72")
  @Tag("T118")
  void aServerThatNeverAnswersBlocksNothingForLong() {
    World.Tab tab = device.started();
    firestore.nextCommit(FakeFirestore.silence());
    tab.read("abc");
    world.passSeconds(8);
    assertThat(tab.label()).isEqualTo("Sync: syncing...");
    world.passSeconds(15);
    assertThat(tab.label()).isEqualTo("Sync: offline (retrying...)");
    world.passSeconds(5);
    assertThat(world.stored().read().value()).containsExactly("abc");
  }

  @Test
  @Tag("PR-PERSIST-72")
  void networkFailuresAreRetriedLessAndLessOften() {
    World.Tab tab = device.started();
    firestore.always = firestore.error(503, "UNAVAILABLE");
    tab.read("abc");
    world.passSeconds(8);
    long start = world.elapsed();
    firestore.requests.clear();
    int[] expected = {2, 5, 15, 60, 60};
    long due = start + 20;
    for (int seconds : expected) {
      due += seconds * 1000L;
      world.pass(due - 1 - world.elapsed());
      int before = firestore.requests.size();
      world.pass(15_000 / 60 + seconds * 200L);
      assertThat(firestore.requests.size()).as(seconds + " s").isEqualTo(before + 1);
      due += 20;
    }
  }

  @Test
  @Tag("PR-PERSIST-71")
  @Tag("T135")
  void rulesThatForbidWritingLeaveReadingOn() {
    World.Tab tab = device.started();
    firestore.nextCommit(firestore.error(403, "PERMISSION_DENIED"));
    tab.read("abc");
    world.passSeconds(9);
    assertThat(tab.label()).isEqualTo("Sync: push-disabled (permission)");
    tab.read("def");
    firestore.plant(world.forum.node(), Fixtures.read(0, "theirs"));
    world.passMinutes(3);
    tab.sync.pageFocused();
    world.passMinutes(5);
    assertThat(firestore.commits()).hasSize(1);
    assertThat(tab.sync.reader().read()).contains("theirs");
    assertThat(device.dirty(SyncedField.READ)).isTrue();
  }

  @Test
  @Tag("PR-PERSIST-71")
  @Tag("T133")
  void aServerThatDoesNotUnderstandUsEndsTheSession() {
    World.Tab tab = device.started();
    firestore.nextCommit(
        firestore.error(400, "INVALID_ARGUMENT", "Payload is not valid for request"));
    tab.read("abc");
    world.passMinutes(20);
    assertThat(tab.label()).isEqualTo("Sync: disabled (client error)");
    assertThat(firestore.commits()).hasSize(1);
    assertThat(device.dirty(SyncedField.READ)).isTrue();
  }
}
