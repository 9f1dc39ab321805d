package dev.syncguard.sync.simulation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What campaigns have played so far: a file of one line a commit, which says where the next one goes on. */
final class CampaignLedger {

  private static final long FIRST = 1_000_000_001;
  private static final String GREEN = "none";

  /** The stories of one commit. */
  record Row(long first, long seeds, long cpuSeconds, String commit, List<Long> red) {

    private static Row parse(String line) {
      String[] cells = line.split("\t", -1);
      return new Row(
          Long.parseLong(cells[0]),
          Long.parseLong(cells[1]),
          Long.parseLong(cells[2]),
          cells[3],
          cells[4].equals(GREEN)
              ? List.of()
              : Arrays.stream(cells[4].split(",", -1)).map(Long::valueOf).toList());
    }

    private long next() {
      return first + seeds;
    }

    private @Nullable Row and(Row later) {
      if (!commit.equals(later.commit) || next() != later.first) {
        return null;
      }
      List<Long> both = new ArrayList<>(red);
      both.addAll(later.red);
      return new Row(first, seeds + later.seeds, cpuSeconds + later.cpuSeconds, commit, both);
    }

    private String redSeeds() {
      return red.isEmpty()
          ? GREEN
          : red.stream().map(String::valueOf).collect(Collectors.joining(","));
    }

    private String line() {
      return String.join("\t", "" + first, "" + seeds, "" + cpuSeconds, commit, redSeeds());
    }

    private String markdown() {
      return "| `" + commit + "` | " + first + " to " + (next() - 1) + " | " + (seeds - red.size())
          + " | " + redSeeds().replace(",", ", ") + " | " + cpuSeconds + " |\n";
    }
  }

  private final Path file;
  private final List<Row> rows;

  CampaignLedger(Path file) throws IOException {
    this.file = file;
    this.rows = new ArrayList<>(
        Files.exists(file)
            ? Files.readAllLines(file).stream().map(Row::parse).toList()
            : List.of());
  }

  /** Returns a seed after all that were ever played, so that no campaign plays what an engine was mended for. */
  long next() {
    return rows.stream().mapToLong(Row::next).max().orElse(FIRST);
  }

  /** Stores what was played. */
  void add(Row row) throws IOException {
    Row longer = rows.isEmpty() ? null : rows.get(rows.size() - 1).and(row);
    if (longer == null) {
      rows.add(row);
    } else {
      rows.set(rows.size() - 1, longer);
    }
    Files.write(file, rows.stream().map(Row::line).toList());
  }

  /** Returns the rows of a table for people. */
  String markdown() {
    return rows.stream().map(Row::markdown).collect(Collectors.joining());
  }
}
