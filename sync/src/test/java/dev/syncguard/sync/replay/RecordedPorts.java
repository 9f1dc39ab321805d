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
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Ports that write down what passes through them. */
final class RecordedPorts {

  private final Recorder recorder;

  private RecordedPorts(Recorder recorder) {
    this.recorder = recorder;
  }

  static SyncPorts of(SyncPorts ports, Recorder recorder) {
    if (!recorder.isOn()) {
      return ports;
    }
    RecordedPorts recorded = new RecordedPorts(recorder);
    return new SyncPorts(
        recorded.http(ports.http()),
        recorded.timers(ports.timers()),
        recorded.clocks(ports.clocks()),
        recorded.values(ports.values()),
        recorded.shared(ports.shared()),
        recorded.exclusion(ports.exclusion()),
        recorded.forum(ports.forum()),
        recorded.random(ports.random()),
        recorded.listener(ports.listener()));
  }

  private Http http(Http http) {
    return (request, callback) -> {
      int handle = recorder.handle();
      recorder.leave(
          () -> http.send(
              request,
              reply -> recorder.enter(
                  () -> callback.accept(reply), "reply", handle, Replies.line(reply))),
          "send",
          handle,
          request.method(),
          request.url(),
          request.body(),
          request.timeoutMillis());
    };
  }

  private Timers timers(Timers timers) {
    return (delay, task) -> {
      int handle = recorder.handle();
      Timers.Timer[] timer = {() -> {}};
      recorder.leave(
          () -> timer[0] = timers.schedule(delay, () -> recorder.enter(task, "timer", handle)),
          "schedule",
          handle,
          delay);
      return () -> recorder.leave(timer[0]::cancel, "cancel", handle);
    };
  }

  private Clocks clocks(Clocks clocks) {
    return new Clocks() {
      @Override
      public long wallMillis() {
        return recorder.ask(clocks::wallMillis, "wall");
      }

      @Override
      public long monotonicMillis() {
        return recorder.ask(clocks::monotonicMillis, "monotonic");
      }
    };
  }

  private KeyValueStore values(KeyValueStore values) {
    return new KeyValueStore() {
      @Override
      public @Nullable String get(String key) {
        return recorder.<@Nullable String>ask(() -> values.get(key), "get", key);
      }

      @Override
      public void set(String key, String value) {
        recorder.leave(() -> values.set(key, value), "set", key, value);
      }

      @Override
      public void remove(String key) {
        recorder.leave(() -> values.remove(key), "remove", key);
      }

      @Override
      public void onForeignChange(Consumer<String> listener) {
        values.onForeignChange(
            key -> recorder.enter(() -> listener.accept(key), "changedElsewhere", key));
      }
    };
  }

  private SharedStore shared(SharedStore shared) {
    return new SharedStore() {
      @Override
      public @Nullable String get(String key) {
        return recorder.<@Nullable String>ask(() -> shared.get(key), "sharedGet", key);
      }

      @Override
      public void set(String key, String value) {
        recorder.ask(() -> done(() -> shared.set(key, value)), "sharedSet", key, value);
      }

      @Override
      public void remove(String key) {
        recorder.ask(() -> done(() -> shared.remove(key)), "sharedRemove", key);
      }

      private String done(Runnable work) {
        work.run();
        return "done";
      }
    };
  }

  private MutualExclusion exclusion(MutualExclusion exclusion) {
    return (name, outcome) -> {
      int handle = recorder.handle();
      MutualExclusion.Outcome recorded = new MutualExclusion.Outcome() {
        @Override
        public void entered(Runnable leave) {
          recorder.enter(
              () -> outcome.entered(() -> recorder.leave(leave, "leave", handle)),
              "entered",
              handle);
        }

        @Override
        public void busy() {
          recorder.enter(outcome::busy, "busy", handle);
        }

        @Override
        public void unavailable() {
          recorder.enter(outcome::unavailable, "unavailable", handle);
        }
      };
      recorder.leave(() -> exclusion.tryEnter(name, recorded), "tryEnter", handle, name);
    };
  }

  private ForumIdentity forum(ForumIdentity forum) {
    return new ForumIdentity() {
      @Override
      public void currentUser(Consumer<Answer> callback) {
        int handle = recorder.handle();
        recorder.leave(() -> forum.currentUser(heard(handle, callback)), "currentUser", handle);
      }

      @Override
      public void updateOverrides(String userId, String overrides, Consumer<Answer> callback) {
        int handle = recorder.handle();
        recorder.leave(
            () -> forum.updateOverrides(userId, overrides, heard(handle, callback)),
            "updateOverrides",
            handle,
            userId,
            overrides);
      }

      private Consumer<Answer> heard(int handle, Consumer<Answer> callback) {
        return answer ->
            recorder.enter(() -> callback.accept(answer), "forum", handle, Replies.line(answer));
      }
    };
  }

  private Random random(Random random) {
    return new Random() {
      @Override
      public String uuid() {
        return recorder.ask(random::uuid, "uuid");
      }

      @Override
      public int below(int bound) {
        return recorder.ask(() -> random.below(bound), "below", bound);
      }
    };
  }

  private Listener listener(Listener listener) {
    return new Listener() {
      @Override
      public void statusChanged(SyncStatus status) {
        recorder.leave(
            () -> listener.statusChanged(status),
            "status",
            status.kind(),
            status.text(),
            status.hint());
      }

      @Override
      public void applied(Set<SyncedField> fields) {
        recorder.leave(() -> listener.applied(fields), "applied", fields);
      }

      @Override
      public void notice(String text) {
        recorder.leave(() -> listener.notice(text), "notice", text);
      }

      @Override
      public void log(Level level, String text) {
        recorder.leave(() -> listener.log(level, text), "log", level, text);
      }
    };
  }
}
