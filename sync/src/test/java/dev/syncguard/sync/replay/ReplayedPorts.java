package dev.syncguard.sync.replay;

import dev.syncguard.sync.Clocks;
import dev.syncguard.sync.ForumIdentity;
import dev.syncguard.sync.Http;
import dev.syncguard.sync.KeyValueStore;
import dev.syncguard.sync.Listener;
import dev.syncguard.sync.MutualExclusion;
import dev.syncguard.sync.Random;
import dev.syncguard.sync.SharedStore;
import dev.syncguard.sync.SyncPorts;
import dev.syncguard.sync.SyncStatus;
import dev.syncguard.sync.SyncedField;
import dev.syncguard.sync.Timers;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Ports behind which there is nothing but a recording. Call for call the counterpart of {@link RecordedPorts}. */
final class ReplayedPorts {

  private final Replay replay;
  private final Map<String, Runnable> timers = new HashMap<>();
  private final Map<String, Consumer<Http.Reply>> requests = new HashMap<>();
  private final Map<String, Consumer<ForumIdentity.Answer>> questions = new HashMap<>();
  private final Map<String, MutualExclusion.Outcome> attempts = new HashMap<>();
  private Consumer<String> foreignChanges = key -> {};
  private int handles;

  ReplayedPorts(Replay replay) {
    this.replay = replay;
  }

  SyncPorts ports() {
    return new SyncPorts(
        this::send,
        this::schedule,
        clocks(),
        values(),
        shared(),
        this::tryEnter,
        forum(),
        random(),
        listener());
  }

  /** Passes on what a server, a timer or another tab says. Returns false if it was none of them. */
  boolean hear(List<@Nullable String> words) {
    String what = String.valueOf(words.get(0));
    String about = words.size() > 1 ? String.valueOf(words.get(1)) : "";
    switch (what) {
      case "timer" -> known(timers, about).run();
      case "reply" -> known(requests, about).accept(Replies.http(String.valueOf(words.get(2))));
      case "forum" -> known(questions, about).accept(Replies.forum(String.valueOf(words.get(2))));
      case "entered" -> known(attempts, about).entered(() -> replay.leave("leave", about));
      case "busy" -> known(attempts, about).busy();
      case "unavailable" -> known(attempts, about).unavailable();
      case "changedElsewhere" -> foreignChanges.accept(about);
      default -> {
        return false;
      }
    }
    return true;
  }

  private static <T> T known(Map<String, T> things, String handle) {
    T thing = things.get(handle);
    if (thing == null) {
      throw new Replay.Difference("Nothing was begun under " + handle);
    }
    return thing;
  }

  private String handle() {
    return String.valueOf(handles++);
  }

  private void send(Http.Request request, Consumer<Http.Reply> callback) {
    String handle = handle();
    requests.put(handle, callback);
    replay.leave(
        "send", handle, request.method(), request.url(), request.body(), request.timeoutMillis());
  }

  private Timers.Timer schedule(long delay, Runnable task) {
    String handle = handle();
    timers.put(handle, task);
    replay.leave("schedule", handle, delay);
    return () -> replay.leave("cancel", handle);
  }

  private Clocks clocks() {
    return new Clocks() {
      @Override
      public long wallMillis() {
        return Long.parseLong(String.valueOf(replay.ask("wall")));
      }

      @Override
      public long monotonicMillis() {
        return Long.parseLong(String.valueOf(replay.ask("monotonic")));
      }
    };
  }

  private KeyValueStore values() {
    return new KeyValueStore() {
      @Override
      public @Nullable String get(String key) {
        return replay.ask("get", key);
      }

      @Override
      public void set(String key, String value) {
        replay.leave("set", key, value);
      }

      @Override
      public void remove(String key) {
        replay.leave("remove", key);
      }

      @Override
      public void onForeignChange(Consumer<String> listener) {
        foreignChanges = listener;
      }
    };
  }

  private SharedStore shared() {
    return new SharedStore() {
      @Override
      public @Nullable String get(String key) {
        return works(replay.ask("sharedGet", key));
      }

      @Override
      public void set(String key, String value) {
        works(replay.ask("sharedSet", key, value));
      }

      @Override
      public void remove(String key) {
        works(replay.ask("sharedRemove", key));
      }

      private @Nullable String works(@Nullable String answer) {
        if (Recorder.FAILURE.equals(answer)) {
          throw new IllegalStateException("The storage of this page is disabled");
        }
        return answer;
      }
    };
  }

  private void tryEnter(String name, MutualExclusion.Outcome outcome) {
    String handle = handle();
    attempts.put(handle, outcome);
    replay.leave("tryEnter", handle, name);
  }

  private ForumIdentity forum() {
    return new ForumIdentity() {
      @Override
      public void currentUser(Consumer<Answer> callback) {
        replay.leave("currentUser", asked(callback));
      }

      @Override
      public void updateOverrides(String userId, String overrides, Consumer<Answer> callback) {
        replay.leave("updateOverrides", asked(callback), userId, overrides);
      }

      private String asked(Consumer<Answer> callback) {
        String handle = handle();
        questions.put(handle, callback);
        return handle;
      }
    };
  }

  private Random random() {
    return new Random() {
      @Override
      public String uuid() {
        return String.valueOf(replay.ask("uuid"));
      }

      @Override
      public int below(int bound) {
        return Integer.parseInt(String.valueOf(replay.ask("below", bound)));
      }
    };
  }

  private Listener listener() {
    return new Listener() {
      @Override
      public void statusChanged(SyncStatus status) {
        replay.leave("status", status.kind(), status.text(), status.hint());
      }

      @Override
      public void applied(Set<SyncedField> fields) {
        replay.leave("applied", fields);
      }

      @Override
      public void notice(String text) {
        replay.leave("notice", text);
      }

      @Override
      public void log(Level level, String text) {
        replay.leave("log", level, text);
      }
    };
  }
}
