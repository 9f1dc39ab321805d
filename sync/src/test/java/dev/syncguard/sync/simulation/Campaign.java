package dev.syncguard.sync.simulation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;

/**
 * Plays stories by the million, in small pieces of which each is stored when it is over: it can be killed at any time and
 * goes on where it was. {@code sync/campaign} starts it.
 */
final class Campaign {

  private static final int STORIES_OF_A_PIECE = 250;
  private static final String HEAD = """
      # The campaign of reader sync

      Stories of the [simulation](sync.md#what-is-promised) that were played besides the 2,000 of every `./verify`, by `sync/campaign`. Each line is
      one commit; a seed tells another story after any change of engine or world, so only lines of the same commit add up.

      | commit | seeds | green | red | CPU seconds |
      |---|---|---|---|---|
      """;

  private final CampaignLedger ledger;
  private final Path report;
  private final LongPredicate green;

  Campaign(CampaignLedger ledger, Path report, LongPredicate green) {
    this.ledger = ledger;
    this.report = report;
    this.green = green;
  }

  /** Arguments: the ledger, the report, the commit, how many stories, on how many threads. */
  public static void main(String[] arguments) throws Exception {
    Campaign campaign = new Campaign(
        new CampaignLedger(Path.of(arguments[0])), Path.of(arguments[1]), Campaign::isGreen);
    ForkJoinPool pool = new ForkJoinPool(Integer.parseInt(arguments[4]));
    boolean allGreen = pool.submit(() -> {
          return campaign.play(arguments[2], Long.parseLong(arguments[3]), STORIES_OF_A_PIECE);
        })
        .get();
    System.exit(allGreen ? 0 : 1);
  }

  private static boolean isGreen(long seed) {
    try {
      new Story(seed, null).play();
      return true;
    } catch (LinkageError e) {
      throw e; // The build is broken, and every story would be red.
    } catch (Throwable e) {
      System.out.println(seed + ": " + e);
      return false;
    }
  }

  /** Plays so many stories in the pool of its thread, and returns whether all of them were green. */
  boolean play(String commit, long stories, int atOnce) throws IOException {
    boolean allGreen = true;
    for (long left = stories; left > 0; left -= atOnce) {
      long seeds = Math.min(left, atOnce);
      long first = ledger.next();
      long begun = cpuSeconds();
      List<Long> red = LongStream.range(first, first + seeds)
          .parallel()
          .filter(seed -> !green.test(seed))
          .boxed()
          .toList();
      allGreen &= red.isEmpty();
      ledger.add(new CampaignLedger.Row(first, seeds, cpuSeconds() - begun, commit, red));
      Files.writeString(report, HEAD + ledger.markdown());
    }
    return allGreen;
  }

  private static long cpuSeconds() {
    return ProcessHandle.current()
        .info()
        .totalCpuDuration()
        .orElse(Duration.ZERO)
        .toSeconds();
  }
}
