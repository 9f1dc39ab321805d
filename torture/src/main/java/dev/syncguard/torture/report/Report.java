package dev.syncguard.torture.report;

import dev.syncguard.torture.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes what a campaign found. */
public final class Report {

  /** The page for people. */
  public static final String PAGE = "report.html";

  /** The same for programs. */
  public static final String DATA = "report.json";

  private Report() {}

  /** Writes both files into a directory, which is created if it is missing. */
  public static void write(Path directory, Outcome outcome, About about) throws IOException {
    Findings findings = new Findings(outcome);
    Files.createDirectories(directory);
    Files.writeString(directory.resolve(PAGE), Page.of(findings, about));
    Files.writeString(directory.resolve(DATA), JsonReport.of(findings, about));
  }
}
