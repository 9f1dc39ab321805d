import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.Time;
import dev.syncguard.lock.memory.MemoryLockBackend;
import dev.syncguard.torture.Campaign;
import dev.syncguard.torture.Settings;
import dev.syncguard.torture.ThreadCrew;
import java.time.Duration;

/** Tortures a backend of one's own, as somebody who wrote one would. */
final class Main {

  public static void main(String[] args) {
    var store = new MemoryLockBackend(Time.system());
    var settings = Settings.of(Duration.ofSeconds(2), 1, "mine:");
    var outcome = new Campaign(settings, new ThreadCrew(() -> store), store)
        .run(Campaign.Progress.unseen(), Cancellation.none());
    System.out.println(
        outcome.violations().isEmpty() && !outcome.history().isEmpty()
            ? "works"
            : outcome.violations().toString());
  }
}
