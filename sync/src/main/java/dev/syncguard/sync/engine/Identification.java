package dev.syncguard.sync.engine;

import dev.syncguard.sync.ForumIdentity;
import dev.syncguard.sync.MutualExclusion;
import dev.syncguard.sync.Timers;
import dev.syncguard.sync.local.LocalStore;
import dev.syncguard.sync.state.Owner;
import dev.syncguard.sync.state.SyncNode;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Finds out who is reading and where their state lies. */
public final class Identification {

  /** Who is reading. */
  public sealed interface Result {}

  /**
   * A user, to whom this device's state belongs now.
   *
   * @param node where their state lies, or null if there is no secret to tell
   */
  public record Reader(String userId, @Nullable String node) implements Result {
    @Override
    public String toString() {
      return "Reader";
    }
  }

  /** Nobody we could sync for. */
  record Nobody(Session.Mode because) implements Result {}

  private final Session session;
  private final ForumIdentity forum;
  private final MutualExclusion exclusion;

  Identification(Session session, ForumIdentity forum, MutualExclusion exclusion) {
    this.session = session;
    this.forum = forum;
    this.exclusion = exclusion;
  }

  private static final int MOST_QUESTIONS = 3;

  /**
   * Finds out.
   *
   * @param known what the forum has already said, or null to ask it
   * @param bootstrap whether to make a secret if there is none
   */
  void find(ForumIdentity.@Nullable Answer known, boolean bootstrap, Consumer<Result> callback) {
    // To empty a device for somebody else takes an answer that cannot be an old one.
    String owner = session.local.meta().lastUserId();
    boolean old =
        known instanceof ForumIdentity.User user && owner != null && !owner.equals(user.id());
    find(old ? null : known, bootstrap, 1, callback);
  }

  private void find(
      ForumIdentity.@Nullable Answer known,
      boolean bootstrap,
      int question,
      Consumer<Result> callback) {
    Owner began = question == 1 ? session.owner : session.local.meta().owner();
    Consumer<ForumIdentity.Answer> next = session.guarded(answer -> {
      boolean later = answer instanceof ForumIdentity.User user
          && !user.id().isEmpty()
          && !arrived(began, user.id());
      if (later && question < MOST_QUESTIONS) {
        find(null, bootstrap, question + 1, callback);
      } else if (later) {
        callback.accept(new Nobody(Session.Mode.OTHER_USER));
      } else {
        judge(answer, bootstrap, callback);
      }
    });
    if (known == null) {
      ask(next);
    } else {
      next.accept(known);
    }
  }

  /** Makes the device that of {@code userId}; returns whether the answer was not too late for that. */
  private boolean arrived(Owner began, String userId) {
    LocalStore.Arrival arrival = session.local.arrive(began, userId);
    if (arrival == LocalStore.Arrival.TOO_LATE) {
      return false;
    }
    session.owner = session.local.meta().owner();
    if (arrival == LocalStore.Arrival.EMPTIED) {
      session.log.info("Another user is reading; this device's state was emptied for them");
      session.saw(null);
      session.listener.applied(LocalMerge.ALL);
    }
    return true;
  }

  private void ask(Consumer<ForumIdentity.Answer> next) {
    boolean[] over = {false};
    Consumer<ForumIdentity.Answer> once = answer -> {
      if (!over[0]) {
        over[0] = true;
        next.accept(answer);
      }
    };
    Timers.Timer timeout = session.timers.schedule(
        session.settings.requestTimeoutMillis, () -> once.accept(new ForumIdentity.Unknown()));
    try {
      forum.currentUser(answer -> {
        timeout.cancel();
        once.accept(answer);
      });
    } catch (RuntimeException broken) {
      timeout.cancel();
      once.accept(new ForumIdentity.Unknown());
    }
  }

  private void judge(ForumIdentity.Answer answer, boolean bootstrap, Consumer<Result> callback) {
    if (answer instanceof ForumIdentity.User user && !user.id().isEmpty()) {
      locate(user, bootstrap, callback);
    } else if (answer instanceof ForumIdentity.Anonymous) {
      callback.accept(new Nobody(Session.Mode.ANONYMOUS));
    } else if (answer instanceof ForumIdentity.Denied) {
      callback.accept(new Nobody(Session.Mode.IDENTITY_DENIED));
    } else {
      session.log.warn(
          answer instanceof ForumIdentity.Unknown
              ? "The forum did not say who is reading; no sync in this session"
              : "The forum did not give the reader's id; no sync in this session");
      callback.accept(new Nobody(Session.Mode.UNAVAILABLE));
    }
  }

  private void locate(ForumIdentity.User user, boolean bootstrap, Consumer<Result> callback) {
    SyncSecret secret = SyncSecret.of(user);
    if (secret instanceof SyncSecret.Present present) {
      callback.accept(reader(user.id(), present.value()));
    } else if (secret instanceof SyncSecret.Absent && bootstrap) {
      BootstrapLock lock =
          new BootstrapLock(exclusion, session.tabs(user.id()), session.clocks, session.random);
      new SecretBootstrap(
              forum,
              lock,
              session.timers,
              session.random,
              user.id(),
              session.guarded(made -> callback.accept(reader(user.id(), made))))
          .start();
    } else {
      callback.accept(reader(user.id(), null));
    }
  }

  private Reader reader(String userId, @Nullable String secret) {
    return new Reader(
        userId, secret == null ? null : SyncNode.derive(session.settings.site, userId, secret));
  }
}
