package dev.syncguard.lock.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.spi.LockBackend;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * The tests of one backend, with two checks that no behaviour shows: its test has its name, so that reports can be counted by
 * backend, and its sources leave it to {@code Liveness} which locks are live. The backends of this project extend this.
 */
public abstract class StrictBackendContracts extends BackendContracts {

  /** Returns where the sources of the backend are. The default is those of the module whose tests run. */
  protected Path sources() {
    return Path.of("src", "main");
  }

  @Test
  void theClassIsNamedAfterTheBackendSoThatItsContractsCanBeCounted() throws Exception {
    try (LockFixture fixture = newFixture();
        LockBackend backend = fixture.open()) {
      String name = backend.capabilities().backend().replace("-", "");
      assertThat(getClass().getSimpleName().toLowerCase(Locale.ROOT))
          .matches(name + ".*contracts(test|it)");
    }
  }

  @Nested
  class Sources extends SourceContract {
    @Override
    protected Path sources() {
      return StrictBackendContracts.this.sources();
    }
  }
}
