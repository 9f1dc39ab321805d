package dev.syncguard.sync;

import dev.syncguard.sync.engine.SyncSecret;
import dev.syncguard.sync.state.SyncNode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;

/** The forum: one logged-in user, whose profile can be read and written. */
@NullUnmarked
final class FakeForum implements ForumIdentity {

  static final String SECRET = "5ecre7-5ecre7-5ecre7-5ecre7";

  private final World world;
  private @Nullable String userId = "user123";

  @Nullable
  String overrides = "{\"" + SyncSecret.KEY + "\":\"" + SECRET + "\"}";

  int queries;
  int updates;

  /** Answers to give instead of the true ones, to queries and updates alike. */
  final Deque<Answer> scripted = new ArrayDeque<>();

  /** What somebody else does right after each update of ours. */
  Runnable afterUpdate = () -> {};

  boolean silent;

  FakeForum(World world) {
    this.world = world;
  }

  void logIn(String id, @Nullable String profile) {
    userId = id;
    overrides = profile;
  }

  void logOut() {
    userId = null;
  }

  static String withSecret(String secret) {
    return "{\"" + SyncSecret.KEY + "\":\"" + secret + "\"}";
  }

  /** Returns the node of the current user. */
  String node(Site site) {
    SyncSecret.Present secret = (SyncSecret.Present) SyncSecret.of(new User(userId, overrides));
    return SyncNode.derive(site, userId, secret.value());
  }

  String node() {
    return node(Site.LESSWRONG);
  }

  @Override
  public void currentUser(Consumer<Answer> callback) {
    queries++;
    answer(callback, this::truth);
  }

  @Override
  public void updateOverrides(String id, String next, Consumer<Answer> callback) {
    updates++;
    answer(callback, () -> {
      overrides = next;
      Answer stored = truth();
      afterUpdate.run();
      return stored;
    });
  }

  private Answer truth() {
    return userId == null ? new Anonymous() : new User(userId, overrides);
  }

  private void answer(Consumer<Answer> callback, Supplier<Answer> truth) {
    if (silent) {
      return;
    }
    Answer given = scripted.poll();
    world.schedule(5, () -> callback.accept(given == null ? truth.get() : given));
  }
}
