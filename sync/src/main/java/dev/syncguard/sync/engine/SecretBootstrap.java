package dev.syncguard.sync.engine;

import dev.syncguard.sync.ForumIdentity;
import dev.syncguard.sync.MutualExclusion;
import dev.syncguard.sync.Random;
import dev.syncguard.sync.Timers;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes the secret of a user who has none, once, so that all their tabs and devices agree on it.
 *
 * <p>Under the lock: look again, write, believe the forum rather than ourselves about what is stored, and read once more;
 * only a value that two answers agree on counts. Whoever does not get the lock writes nothing and waits for the other.
 */
final class SecretBootstrap {

  private static final int MORE_ROUNDS = 2;
  private static final int LOOKS = 3;
  private static final long LOOK_MILLIS = 300;
  private static final long PATIENCE_MILLIS = 30_000;

  private final ForumIdentity forum;
  private final BootstrapLock lock;
  private final Timers timers;
  private final Random random;
  private final String userId;
  private final Consumer<@Nullable String> callback;
  private Runnable leave = () -> {};
  private boolean over;
  private Timers.@Nullable Timer patience;

  /** @param callback told the secret, or null if there is none to be had in this session */
  SecretBootstrap(
      ForumIdentity forum,
      BootstrapLock lock,
      Timers timers,
      Random random,
      String userId,
      Consumer<@Nullable String> callback) {
    this.forum = forum;
    this.lock = lock;
    this.timers = timers;
    this.random = random;
    this.userId = userId;
    this.callback = callback;
  }

  void start() {
    patience = timers.schedule(PATIENCE_MILLIS, () -> finish(null));
    lock.tryEnter(new MutualExclusion.Outcome() {
      @Override
      public void entered(Runnable leaving) {
        if (over) {
          leaving.run();
          return;
        }
        leave = leaving;
        round(0);
      }

      @Override
      public void busy() {
        lookLater(LOOKS);
      }

      @Override
      public void unavailable() {
        round(0);
      }
    });
  }

  private void lookLater(int looks) {
    if (looks == 0) {
      finish(null);
      return;
    }
    timers.schedule(
        LOOK_MILLIS,
        () -> ask(secret -> {
          if (secret instanceof SyncSecret.Present present) {
            finish(present.value());
          } else if (secret instanceof SyncSecret.Spoiled) {
            finish(null);
          } else {
            lookLater(looks - 1);
          }
        }));
  }

  private void round(int round) {
    forumCall(forum::currentUser, user -> {
      SyncSecret secret = user == null ? new SyncSecret.Spoiled() : SyncSecret.of(user);
      if (user == null || secret instanceof SyncSecret.Spoiled) {
        // Nothing may be written without knowing what else is there.
        finish(null);
      } else if (secret instanceof SyncSecret.Present present) {
        if (round == 0) {
          finish(present.value());
        } else {
          verify(present.value(), round);
        }
      } else {
        write(user, round);
      }
    });
  }

  private void write(ForumIdentity.User user, int round) {
    String candidate = random.uuid();
    String overrides = SyncSecret.add(user.overrides(), candidate);
    forumCall(answer -> forum.updateOverrides(userId, overrides, answer), stored -> {
      boolean other = stored != null && SyncSecret.of(stored) instanceof SyncSecret.Present;
      verify(other ? ((SyncSecret.Present) SyncSecret.of(stored)).value() : candidate, round);
    });
  }

  private void verify(String adopted, int round) {
    ask(secret -> {
      if (secret instanceof SyncSecret.Present present && present.value().equals(adopted)) {
        finish(adopted);
      } else if (round < MORE_ROUNDS) {
        round(round + 1);
      } else {
        finish(null);
      }
    });
  }

  private void ask(Consumer<@Nullable SyncSecret> next) {
    forumCall(forum::currentUser, user -> next.accept(user == null ? null : SyncSecret.of(user)));
  }

  /** Calls the forum and passes on the user, or null if the answer is anything but this very user. */
  private void forumCall(
      Consumer<Consumer<ForumIdentity.Answer>> call, Consumer<ForumIdentity.@Nullable User> next) {
    if (over) {
      return;
    }
    Consumer<ForumIdentity.Answer> answer = given -> {
      if (!over) {
        next.accept(
            given instanceof ForumIdentity.User user && user.id().equals(userId) ? user : null);
      }
    };
    try {
      call.accept(answer);
    } catch (RuntimeException broken) {
      finish(null);
    }
  }

  private void finish(@Nullable String secret) {
    if (over) {
      return;
    }
    over = true;
    if (patience != null) {
      patience.cancel();
    }
    leave.run();
    callback.accept(secret);
  }
}
