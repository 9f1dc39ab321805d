package dev.syncguard.userscript;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.userscript.demo.Writing;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * What reading costs the project. The figures go to {@code target/cost.txt}; with {@code -Dcost.minutes=60} they are those of the
 * guide.
 */
class CostIT {

  private static final int MARKS_BEFORE = 5_000;
  private static final int MINUTES = Integer.getInteger("cost.minutes", 12);

  @RegisterExtension
  final World world = new World();

  @Test
  void aMarkEachMinuteCostsOneWriteEachAndAReadInTenMinutes() throws IOException {
    for (int i = 0; i < MINUTES; i++) {
      Instant time = Instant.parse("2026-01-01T00:00:00Z").plusSeconds(i);
      String post = "pOsTcLoCkSaBcDeFg";
      world.content().add(new Writing(id(i), "jonas", time, 1, post, null, null, "<p>x</p>"));
    }
    Device device = world.device().withClock();
    device.store(
        "power-reader-read",
        IntStream.range(0, MARKS_BEFORE)
            .mapToObj(i -> String.format("\"mArKeDbEfOrE%05d\":1", i))
            .collect(Collectors.joining(",", "{", "}")));
    Tab tab = device.openFrom(Tab.LONG_AGO).awaitItems();
    tab.awaitStatus("Sync: OK");
    device.push(tab);
    device.freeze(tab);
    device.sent().clear();
    device.commitBodies().clear();

    for (int i = 0; i < MINUTES; i++) {
      tab.mark(id(i));
      device.passActively(tab, 60_000);
    }

    long writes = device.commits();
    long reads = device.sent().size() - writes;
    long bytes = device.commitBodies().stream()
        .mapToLong(body -> body.getBytes(StandardCharsets.UTF_8).length)
        .sum();
    Files.writeString(
        Path.of("target/cost.txt"),
        MINUTES + " minutes with a mark each and " + MARKS_BEFORE + " marks before: " + reads
            + " reads, " + writes + " writes, " + bytes / 1000 + " KB uploaded\n");
    assertThat(writes).isLessThanOrEqualTo(MINUTES);
    assertThat(reads).isLessThanOrEqualTo(1L + MINUTES / 10);
  }

  private static String id(int number) {
    return String.format("cOmMeNtCoSt%06d", number);
  }
}
