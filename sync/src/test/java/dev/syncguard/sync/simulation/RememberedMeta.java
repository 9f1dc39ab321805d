package dev.syncguard.sync.simulation;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What was last made of a stored meta: everybody asks for it at every step. */
final class RememberedMeta {

  private @Nullable String text;
  private Meta meta = Meta.NONE;

  Meta of(@Nullable String stored) {
    if (!Objects.equals(text, stored)) {
      text = stored;
      meta = Meta.of(stored);
    }
    return meta;
  }
}
