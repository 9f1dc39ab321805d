package dev.syncguard.sync.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CampaignTest {

  private final List<Long> played = Collections.synchronizedList(new ArrayList<>());

  @TempDir
  Path directory;

  private boolean play(String commit, long stories, long red) throws IOException {
    Campaign campaign = new Campaign(
        new CampaignLedger(directory.resolve("ledger.tsv")),
        directory.resolve("report.md"),
        seed -> played.add(seed) && seed != red);
    return campaign.play(commit, stories, 2);
  }

  @Test
  void itGoesOnWhereItWasAndTellsOfEveryRedSeed() throws IOException {
    assertThat(play("a", 3, 0)).isTrue();
    assertThat(play("a", 4, 1_000_000_005)).isFalse();
    assertThat(play("b", 2, 0)).isTrue();

    assertThat(played)
        .containsExactlyInAnyOrderElementsOf(
            LongStream.rangeClosed(1_000_000_001, 1_000_000_009).boxed().toList());
    assertThat(Files.readString(directory.resolve("report.md")))
        .contains("| `a` | 1000000001 to 1000000007 | 6 | 1000000005 |")
        .contains("| `b` | 1000000008 to 1000000009 | 2 | none |");
  }

  @Test
  void noSeedIsPlayedTwiceAlthoughLaterLinesHaveLowerOnes() throws IOException {
    Files.writeString(
        directory.resolve("ledger.tsv"), "5000\t10\t1\tx\tnone\n100\t10\t1\ty\t101,105\n");

    play("z", 1, 0);

    assertThat(played).containsExactly(5_010L);
    assertThat(Files.readString(directory.resolve("report.md"))).contains("| 8 | 101, 105 |");
  }
}
