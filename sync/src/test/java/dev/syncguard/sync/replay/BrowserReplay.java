package dev.syncguard.sync.replay;

import org.teavm.jso.JSBody;

/** Where the script begins that plays recordings in a browser. */
public final class BrowserReplay {

  private BrowserReplay() {}

  /** Plays each recording and tells what came of it. */
  public static void main(String[] recordings) {
    for (String recording : recordings) {
      tell(outcome(recording));
    }
  }

  private static String outcome(String recording) {
    try {
      return "same " + Replay.play(recording);
    } catch (Replay.Difference difference) {
      return String.valueOf(difference.getMessage());
    }
  }

  @JSBody(params = "outcome", script = "window.outcomes.push(outcome);")
  private static native void tell(String outcome);
}
