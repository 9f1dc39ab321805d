// needs org.junit.platform:junit-platform-launcher:6.1.3
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.memory.ManualTime;
import dev.syncguard.lock.memory.MemoryLockBackend;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.testkit.ContentionContract;
import dev.syncguard.lock.testkit.FixtureSource;
import dev.syncguard.lock.testkit.LockFixture;
import java.time.Duration;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** Runs one contract on a backend, as somebody who wrote a backend would. */
final class Main {

  static class MineTest extends ContentionContract implements FixtureSource {
    @Override
    public LockFixture newFixture() {
      return new MyFixture();
    }
  }

  static final class MyFixture implements LockFixture {
    private final ManualTime time = ManualTime.stopped();
    private final MemoryLockBackend backend = new MemoryLockBackend(time);

    @Override
    public LockBackend open() {
      return backend;
    }

    @Override
    public void pass(Duration duration) {
      time.advance(duration);
    }

    @Override
    public void presetFence(LockKey key, long handedOut) {
      backend.presetFence(key, handedOut);
    }

    @Override
    public void close() {}
  }

  public static void main(String[] args) {
    var results = new SummaryGeneratingListener();
    LauncherFactory.create()
        .execute(
            LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClass(MineTest.class))
                .build(),
            results);
    var summary = results.getSummary();
    summary.getFailures().forEach(failure -> failure.getException().printStackTrace());
    System.out.println(
        summary.getTestsSucceededCount() > 0 && summary.getTotalFailureCount() == 0
            ? "works"
            : summary.getTestsFoundCount() + " tests found");
  }
}
