package dev.syncguard.sync.jvm;

import dev.syncguard.sync.ForumIdentity;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/** A reader whose forum cannot be asked from here, but who brought their id and the secret from their profile along. */
final class KnownReader implements ForumIdentity {

  /** The member of the profile's overrides in which the secret is kept. */
  private static final String SECRET_KEY = "pr_sync_secret_v1";

  private final User user;
  private final Executor engine;

  KnownReader(String userId, String secret, Executor engine) {
    this.user = new User(userId, "{\"" + SECRET_KEY + "\":\"" + secret + "\"}");
    this.engine = engine;
  }

  @Override
  public void currentUser(Consumer<Answer> callback) {
    engine.execute(() -> callback.accept(user));
  }

  /** We know the profile, but only its forum can change it. */
  @Override
  public void updateOverrides(String userId, String overrides, Consumer<Answer> callback) {
    engine.execute(() -> callback.accept(new Denied()));
  }
}
