package dev.syncguard.sync.simulation;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongConsumer;

/** Plays stories and, when one goes wrong, tells how to see it again and what happened last. */
public final class Seeds implements LongConsumer {

  private static final int LAST_LINES = 60;

  /** Plays one story, wherever this class was loaded, without telling it. */
  @Override
  public void accept(long seed) {
    new Story(seed, null).play();
  }

  static Story play(long seed) {
    try {
      Story story = new Story(seed, null);
      story.play();
      return story;
    } catch (Throwable e) {
      throw new AssertionError(
          e + "\nReplay: mvn -pl sync -am test -Dtest=SyncSimulationTest"
              + " -Dsurefire.failIfNoSpecifiedTests=false -Dsyncguard.sync.seed=" + seed
              + "\nWhat happened last in seed " + seed + ":\n" + end(seed),
          e);
    }
  }

  private static String end(long seed) {
    Deque<String> lines = new ArrayDeque<>();
    try {
      new Story(seed, line -> {
            lines.add(line.length() > 240 ? line.substring(0, 240) + "..." : line);
            if (lines.size() > LAST_LINES) {
              lines.removeFirst();
            }
          })
          .play();
    } catch (Throwable e) {
      lines.add("Here: " + e.getMessage());
    }
    return String.join("\n", lines);
  }
}
