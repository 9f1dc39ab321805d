package dev.syncguard.sync.replay;

import dev.syncguard.sync.PersistenceSync;
import dev.syncguard.sync.ReaderState;
import dev.syncguard.sync.ResetOutcome;
import dev.syncguard.sync.StartOutcome;
import dev.syncguard.sync.SyncPorts;
import dev.syncguard.sync.SyncStatus;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** An engine as a simulation drives it. What is done to it is written down together with all that follows. */
public final class RecordedEngine {

  private final Recorder recorder;
  private final PersistenceSync engine;

  public RecordedEngine(Settings settings, SyncPorts ports, Recorder recorder) {
    this.recorder = recorder;
    PersistenceSync[] created = new PersistenceSync[1];
    SyncPorts recorded = RecordedPorts.of(ports, recorder);
    recorder.enter(() -> created[0] = new PersistenceSync(settings.config(), recorded), "create");
    engine = created[0];
  }

  public void start(Consumer<StartOutcome> ready) {
    recorder.enter(
        () -> engine.start(
            outcome -> recorder.leave(() -> ready.accept(outcome), "started", outcome)),
        "start");
  }

  public void reset(Consumer<ResetOutcome> done) {
    recorder.enter(
        () -> engine.reset(
            outcome -> recorder.leave(() -> done.accept(outcome), "hasReset", outcome)),
        "reset");
  }

  public void pull(Runnable done) {
    recorder.enter(() -> engine.pull(() -> recorder.leave(done, "pulled")), "pull");
  }

  public void flush(Runnable done) {
    recorder.enter(() -> engine.flush(() -> recorder.leave(done, "flushed")), "flush");
  }

  public void stop() {
    recorder.enter(engine::stop, "stop");
  }

  public void setEnabled(boolean enabled) {
    recorder.enter(() -> engine.setEnabled(enabled), "setEnabled", enabled);
  }

  public void pageVisible() {
    recorder.enter(engine::pageVisible, "pageVisible");
  }

  public void pageHidden() {
    recorder.enter(engine::pageHidden, "pageHidden");
  }

  public void pageFocused() {
    recorder.enter(engine::pageFocused, "pageFocused");
  }

  public void userActive() {
    recorder.enter(engine::userActive, "userActive");
  }

  public String exportState() {
    return look(engine::exportState, "exportState");
  }

  public void importState(String json) {
    recorder.enter(() -> engine.importState(json), "importState", json);
  }

  public SyncStatus status() {
    return look(engine::status, "status");
  }

  public String debugSummary() {
    return look(engine::debugSummary, "debugSummary");
  }

  public Reader reader() {
    return new Reader(engine.reader());
  }

  /** Looks at something. What is seen leaves the engine too. */
  private <T> T look(Supplier<T> look, String name) {
    List<T> seen = new ArrayList<>();
    recorder.enter(
        () -> {
          seen.add(look.get());
          recorder.leave(() -> {}, "seen", seen.get(0));
        },
        name);
    return seen.get(0);
  }

  /** The state of the reader, likewise. */
  public final class Reader {
    private final ReaderState state;

    private Reader(ReaderState state) {
      this.state = state;
    }

    public Set<String> read() {
      return look(state::read, "read");
    }

    public String loadFrom() {
      return look(state::loadFrom, "loadFrom");
    }

    public Map<String, Integer> authorPreferences() {
      return look(state::authorPreferences, "authorPreferences");
    }

    public void markRead(Collection<String> ids) {
      recorder.enter(() -> state.markRead(ids), "markRead", String.join(" ", ids));
    }

    public void forgetRead(Collection<String> ids) {
      recorder.enter(() -> state.forgetRead(ids), "forgetRead", String.join(" ", ids));
    }

    public void setLoadFrom(String value) {
      recorder.enter(() -> state.setLoadFrom(value), "setLoadFrom", value);
    }

    public void setLoadFromAndClearRead(String value) {
      recorder.enter(() -> state.setLoadFromAndClearRead(value), "setLoadFromAndClearRead", value);
    }

    public void clearReadState() {
      recorder.enter(state::clearReadState, "clearReadState");
    }

    public void feedLoaded() {
      recorder.enter(state::feedLoaded, "feedLoaded");
    }

    public void setAuthorPreference(String author, int preference) {
      recorder.enter(
          () -> state.setAuthorPreference(author, preference),
          "setAuthorPreference",
          author,
          preference);
    }
  }
}
