package dev.syncguard.sync.replay;

import dev.syncguard.sync.PersistenceSync;
import dev.syncguard.sync.ReaderState;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a page can do to its engine, by the words that {@link RecordedEngine} has for it. */
final class Deeds {

  private final PersistenceSync engine;
  private final ReaderState reader;
  private final Replay replay;

  Deeds(PersistenceSync engine, Replay replay) {
    this.engine = engine;
    this.reader = engine.reader();
    this.replay = replay;
  }

  void perform(List<@Nullable String> words) {
    String value = String.valueOf(words.get(words.size() - 1));
    switch (String.valueOf(words.get(0))) {
      case "start" -> engine.start(outcome -> replay.leave("started", outcome));
      case "reset" -> engine.reset(outcome -> replay.leave("hasReset", outcome));
      case "pull" -> engine.pull(() -> replay.leave("pulled"));
      case "flush" -> engine.flush(() -> replay.leave("flushed"));
      case "stop" -> engine.stop();
      case "setEnabled" -> engine.setEnabled(Boolean.parseBoolean(value));
      case "pageVisible" -> engine.pageVisible();
      case "pageHidden" -> engine.pageHidden();
      case "pageFocused" -> engine.pageFocused();
      case "userActive" -> engine.userActive();
      case "importState" -> engine.importState(value);
      case "exportState" -> replay.leave("seen", engine.exportState());
      case "status" -> replay.leave("seen", engine.status());
      case "debugSummary" -> replay.leave("seen", engine.debugSummary());
      case "read" -> replay.leave("seen", reader.read());
      case "loadFrom" -> replay.leave("seen", reader.loadFrom());
      case "authorPreferences" -> replay.leave("seen", reader.authorPreferences());
      case "markRead" -> reader.markRead(ids(value));
      case "forgetRead" -> reader.forgetRead(ids(value));
      case "setLoadFrom" -> reader.setLoadFrom(value);
      case "setLoadFromAndClearRead" -> reader.setLoadFromAndClearRead(value);
      case "clearReadState" -> reader.clearReadState();
      case "feedLoaded" -> reader.feedLoaded();
      case "setAuthorPreference" ->
        reader.setAuthorPreference(String.valueOf(words.get(1)), Integer.parseInt(value));
      default -> throw new Replay.Difference("Nobody knows how to " + words.get(0));
    }
  }

  private static List<String> ids(String value) {
    List<String> ids = new ArrayList<>();
    int from = 0;
    for (int space = value.indexOf(' '); space >= 0; space = value.indexOf(' ', from)) {
      ids.add(value.substring(from, space));
      from = space + 1;
    }
    if (from < value.length()) {
      ids.add(value.substring(from));
    }
    return ids;
  }
}
