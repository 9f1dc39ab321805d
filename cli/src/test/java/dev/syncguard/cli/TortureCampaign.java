package dev.syncguard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A sound store must be accused of nothing; {@code torture/campaign} runs it. */
class TortureCampaign {

  private static final Duration PATIENCE = Duration.ofMinutes(3);

  @RegisterExtension
  final RealProgram program = new RealProgram();

  @Test
  void aSoundStoreIsAccusedOfNothingAndNoLockStays() throws Exception {
    Answer answer = program
        .start(
            "torture",
            "--minutes",
            "0.2",
            "--seed",
            "3",
            "--patience",
            "30s",
            "--report",
            "out",
            "--json")
        .answer(PATIENCE);
    assertThat(answer.exitCode()).as(answer.toString()).isZero();
    assertThat(answer.out()).contains("\"ok\":true", "\"violations\":0", "\"seed\":3");
    Path report = program.file("out");
    assertThat(Files.readString(report.resolve("report.html"))).contains("No promise was broken");
    assertThat(Files.readString(report.resolve("report.json"))).contains("\"kill\":");
    assertThat(program.run("list", "--json").out()).contains("\"locks\":[]");
  }
}
