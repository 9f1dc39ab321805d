package dev.syncguard.cli;

import dev.syncguard.lock.spi.LockBackend;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The program itself: what all commands share. */
@Command(
    name = "syncguard",
    synopsisSubcommandLabel = "COMMAND",
    description =
        "Locks for scripts: one holder at a time, each with a higher fence, and leases that expire.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  syncguard run nightly-report -- ./report.sh",
      "  syncguard list",
      "",
      "Exit codes: 0 done, 1 answered no, 2 wrong usage, 69 store unavailable,",
      "70 internal, 75 busy, 77 refused by the store. run passes on the exit code of",
      "its command."
    })
final class Syncguard implements Runnable {

  private final Surroundings surroundings;

  @Spec
  @SuppressWarnings("NullAway.Init") // The parser sets it.
  private CommandSpec spec;

  @Option(
      names = "--store",
      paramLabel = "STORE",
      scope = ScopeType.INHERIT,
      description = {
        // Lines of their own, because addresses would be broken at their colons.
        "Where the locks are: sqlite:PATH,",
        "redis://HOST:PORT, firestore://PROJECT or",
        "postgresql://HOST:PORT/DATABASE.",
        "Default: $SYNCGUARD_STORE, or a file of your own under $XDG_STATE_HOME or ~/.local/state."
      })
  private @Nullable String store;

  @Option(
      names = "--json",
      scope = ScopeType.INHERIT,
      description = "Answer with one line of JSON on standard output.")
  private boolean json;

  @Option(
      names = "--help",
      usageHelp = true,
      scope = ScopeType.INHERIT,
      description = "Show this help.")
  @SuppressWarnings("UnusedVariable") // The parser reads it.
  private boolean help;

  Syncguard(Surroundings surroundings) {
    this.surroundings = surroundings;
  }

  @Override
  public void run() {
    throw new WrongUsage(spec, ExitCode.WRONG_USAGE, "Say which command to run");
  }

  Surroundings surroundings() {
    return surroundings;
  }

  Output output() {
    return new Output(surroundings.out(), surroundings.err(), json);
  }

  /** Returns the address of the store, if somebody named one. */
  Optional<String> address() {
    String variable = surroundings.variable("SYNCGUARD_STORE");
    return Optional.ofNullable(store)
        .or(() -> Optional.of(variable).filter(text -> !text.isEmpty()));
  }

  LockBackend open(Stores.Purpose purpose) {
    return ToldToConsole.over(Stores.open(store, surroundings, purpose), surroundings);
  }

  /** Opens the store that these variables name, to take locks. */
  LockBackend openBy(Map<String, String> variables) {
    Surroundings changed =
        new Surroundings(surroundings.in(), surroundings.out(), surroundings.err(), variables);
    return Stores.open(null, changed, Stores.Purpose.WRITE);
  }

  boolean isStoreGiven() {
    return store != null || !surroundings.variable("SYNCGUARD_STORE").isEmpty();
  }

  /** Returns what to call the store in front of people: its address without credentials. */
  String storeLabel(LockBackend backend) {
    String address = store != null ? store : surroundings.variable("SYNCGUARD_STORE");
    return address.isEmpty()
        ? backend.capabilities().backend() + ", your own file"
        : address.replaceFirst("\\?.*", "").replaceFirst("//[^/]*@", "//");
  }
}
