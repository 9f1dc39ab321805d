package dev.syncguard.benchmarks;

import dev.syncguard.benchmarks.measure.Rounds;
import dev.syncguard.benchmarks.report.Section;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/** What gets a report of its own: a store, or the program. */
public interface Topic {

  /** Returns the word for {@code --only} and for the files with the results. */
  String name();

  String title();

  /** Returns whether a run that only tries whether everything works includes this. */
  default boolean isTriedQuickly() {
    return true;
  }

  /** Measures everything that there is to say about it. */
  List<Section> measure(Setting setting) throws Exception;

  /** How much is measured, where files may be put, what starts the program, and who is told what happens. */
  record Setting(Pace pace, Workspace files, Path launcher, Consumer<String> progress) {

    /** Returns rounds for short slices. */
    public Rounds rounds() {
      return new Rounds(pace.rounds(), 1, progress);
    }

    /** Returns whether peers, too, contend as processes of their own, which take seconds to start. */
    public boolean startsPeers() {
      return pace.contests() > 1;
    }

    /** Returns rounds for contests; a single one is not worth a warm-up. */
    public Rounds contests() {
      return new Rounds(pace.contests(), pace.contests() > 1 ? 1 : 0, progress);
    }
  }
}
