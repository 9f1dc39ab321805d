package dev.syncguard.cli;

import dev.syncguard.sync.ReaderState;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Sets from which date on the reader reads. */
@Command(
    name = "load-from",
    description = "Sets the date from which on you read, or recent for whatever is new.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  syncguard reader load-from 2026-11-01",
      "  syncguard reader load-from 2026-11-01T18:00:00Z",
      "  syncguard reader load-from recent"
    })
final class ReaderLoadFromCommand extends ReaderAction {

  @Parameters(paramLabel = "DATE|recent", description = "A date here, or a moment with its zone.")
  private String from = "";

  @Override
  void check() {
    if (value().isEmpty()) {
      throw wrong("Write a date as 2026-11-01, a moment as 2026-11-01T18:00:00Z, or recent");
    }
  }

  /** Returns the same text that the reading page would store. */
  private Optional<String> value() {
    if (from.equals("recent")) {
      return Optional.of(ReaderState.LOAD_RECENT);
    }
    try {
      Instant moment = from.contains("T")
          ? Instant.parse(from)
          : LocalDate.parse(from).atStartOfDay(ZoneId.systemDefault()).toInstant();
      return Optional.of(DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSX")
          .format(moment.atZone(ZoneOffset.UTC)));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  @Override
  int act(ReaderSession session) {
    session.change(reader -> {
      reader.setLoadFrom(value().orElseThrow());
      reader.feedLoaded();
    });
    return pushed(session, "Reading from " + from);
  }
}
