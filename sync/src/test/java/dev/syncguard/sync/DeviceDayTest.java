package dev.syncguard.sync;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.sync.remote.EnvelopeEncoder;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/** What a device costs in a day of reading, counted and not estimated; {@code docs/sync.md} quotes it. */
@NullUnmarked
class DeviceDayTest {

  private static final int MARKS = 5_000;
  private static final int MINUTES = 100;

  private final World world = new World();

  @Test
  void aDayOfReadingUploadsLessThanATenthOfWhatWholeDocumentsWould() {
    World.Tab tab = world.device().started();
    tab.sync.reader().markRead(Fixtures.ids("abcdefghijklm", MARKS));
    world.passSeconds(60);
    world.firestore.requests.clear();
    long whole = 0;
    for (int minute = 0; minute < MINUTES; minute++) {
      tab.sync.userActive();
      tab.read("m" + minute, "n" + minute, "o" + minute);
      world.passMinutes(1);
      whole +=
          EnvelopeEncoder.encode(world.firestore.stored(world.forum.node())).length();
    }
    List<Http.Request> pushes = world.firestore.commits();
    long sent = pushes.stream().mapToLong(push -> push.body().length()).sum();
    System.out.println(pushes.size() + " pushes of three marks into a document of " + MARKS
        + ": " + sent + " bytes sent, whole documents would be " + whole + "; "
        + world.firestore.reads().size() + " reads");
    assertThat(pushes).hasSizeBetween(MINUTES - 5, MINUTES + 5);
    assertThat(sent).isLessThan(whole / 10);
  }
}
