package dev.syncguard.sync.simulation;

import dev.syncguard.sync.replay.Recorder;
import java.util.ArrayList;
import java.util.List;

/** What passed between every engine of a story and the world. */
public final class Recordings {

  private Recordings() {}

  /** Plays the story of a seed and returns one recording for each tab that was opened in it. */
  public static List<String> of(long seed) {
    List<Recorder> recorders = new ArrayList<>();
    new Story(seed, null, settings -> {
          Recorder recorder = Recorder.of(settings);
          recorders.add(recorder);
          return recorder;
        })
        .play();
    return recorders.stream().map(Recorder::text).toList();
  }
}
