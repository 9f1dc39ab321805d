package dev.syncguard.sync.replay;

import dev.syncguard.sync.PersistenceSync;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Does to a new engine what was done to a recorded one, and expects it to do and ask the same, line by line. Its questions
 * are answered out of the recording. Runs on the JVM and in a browser.
 */
final class Replay {

  /** The engine did something else than the recording says. */
  static final class Difference extends Error {
    private static final long serialVersionUID = 1L;

    Difference(String message) {
      super(message);
    }
  }

  /** The recording is over, in the midst of something if the recorded engine died there. */
  private static final class End extends Error {
    private static final long serialVersionUID = 1L;
  }

  private final Settings settings;
  private final List<String> lines;
  private final ReplayedPorts ports = new ReplayedPorts(this);
  private @Nullable Deeds deeds;
  private int at = 1;
  private int depth;

  private Replay(String recording) {
    lines = lines(recording);
    settings = Settings.of(lines.get(0));
  }

  /**
   * Plays a recording and returns how many lines were the same, which is all of them.
   *
   * @throws Difference at the first line that differs
   */
  static int play(String recording) {
    Replay replay = new Replay(recording);
    try {
      while (replay.at < replay.lines.size()) {
        replay.enter();
      }
    } catch (End end) {
      // As the recorded one.
    }
    return replay.at;
  }

  /** Does to the engine what the next line says. */
  private void enter() {
    String line = lines.get(at);
    String start = depth + ">";
    if (!line.startsWith(start)) {
      throw difference("nothing more");
    }
    at++;
    List<@Nullable String> words = Words.split(line.substring(start.length()));
    depth++;
    if (ports.hear(words)) {
      depth--;
      return;
    }
    if (deeds == null) {
      deeds = new Deeds(new PersistenceSync(settings.config(), ports.ports()), this);
    } else {
      deeds.perform(words);
    }
    depth--;
  }

  /** The engine has done something: the recorded one did too, and the world may answer at once. */
  void leave(@Nullable Object... words) {
    expect(depth + "<" + Words.join(words));
    depth++;
    while (at < lines.size() && lines.get(at).startsWith(depth + ">")) {
      enter();
    }
    depth--;
  }

  /** The engine asks: the recorded one did too, and the answer is the same. */
  @Nullable
  String ask(@Nullable Object... words) {
    String question = depth + "?" + Words.join(words) + "\t";
    if (at < lines.size() && lines.get(at).startsWith(question)) {
      return Words.split(lines.get(at++).substring(question.length())).get(0);
    }
    expect(question);
    return null;
  }

  private void expect(String line) {
    if (at >= lines.size()) {
      throw new End();
    }
    if (!lines.get(at).equals(line)) {
      throw difference(line);
    }
    at++;
  }

  private Difference difference(String done) {
    return new Difference("line " + (at + 1) + ": recorded " + lines.get(at) + " but now " + done);
  }

  private static List<String> lines(String text) {
    List<String> lines = new ArrayList<>();
    int from = 0;
    for (int end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      lines.add(text.substring(from, end));
      from = end + 1;
    }
    lines.add(text.substring(from));
    return lines;
  }
}
