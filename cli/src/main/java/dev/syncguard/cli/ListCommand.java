package dev.syncguard.cli;

import dev.syncguard.lock.spi.LockBackend;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Shows all live locks. */
@Command(
    name = "list",
    description = "Shows the live locks, soonest to expire first, with hashes instead of keys.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  syncguard list",
      "  syncguard list --json | jq '.locks[] | select(.remainingMs < 5000)'",
      "  syncguard list --raw       # keys instead of hashes",
      "  syncguard lookup deploy    # shows the hash of a key you know",
      "",
      "The table shows the first eight digits of each hash; --json has all 24."
    })
final class ListCommand extends StoreCommand {

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "1000",
      description = "Show at most so many (default: ${DEFAULT-VALUE}).")
  private int limit;

  @Option(names = "--raw", description = "For debugging: show keys instead of their hashes.")
  private boolean raw;

  @Override
  Stores.Purpose purpose() {
    return Stores.Purpose.LOOK;
  }

  @Override
  Question prepare() {
    if (limit < 1 || limit == Integer.MAX_VALUE) {
      throw wrong("--limit must be at least 1");
    }
    return this::list;
  }

  private int list(LockBackend backend) {
    LiveLocks live = LiveLocks.read(backend, limit, raw);
    if (live.locks().isEmpty() && !output().json()) {
      output().note("No live locks");
      return ExitCode.DONE;
    }
    output().answer(live.json(), String.join("\n", LockTable.lines(live, Terminal.outputWidth())));
    if (!live.complete()) {
      output().note("There are more; see --limit");
    }
    return ExitCode.DONE;
  }
}
