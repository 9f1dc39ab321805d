package dev.syncguard.lock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.testkit.source.LivenessSourceCheck;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** A backend leaves it to {@code Liveness} to decide which locks are live, in all of its sources. */
public abstract class SourceContract {

  /** Returns where the sources of the backend are. */
  protected abstract Path sources();

  @Test
  void noExpiryIsComparedButByTheCommonRule() throws Exception {
    assertThat(LivenessSourceCheck.check(sources()))
        .as("comparisons of an expiry; use Liveness.isLive, inSql or IN_LUA instead")
        .isEmpty();
  }
}
