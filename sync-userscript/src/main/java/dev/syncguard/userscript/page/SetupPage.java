package dev.syncguard.userscript.page;

import dev.syncguard.sync.ReaderState;
import java.util.function.Consumer;
import org.teavm.jso.dom.html.HTMLInputElement;

/** The question with which a new reader begins: from when on? */
final class SetupPage {

  private SetupPage() {}

  /** Returns the page; {@code chosen} gets a date-time or {@link ReaderState#LOAD_RECENT}. */
  static Tag show(Consumer<String> chosen) {
    Tag date = Tag.of("input").id("loadFromDate").with("type", "date");
    Tag start = Tag.button("startReading", "Start reading", () -> {
      String day = ((HTMLInputElement) date.element()).getValue();
      chosen.accept(day.isEmpty() ? ReaderState.LOAD_RECENT : Dates.localMidnight(day));
    });
    return Tag.of("section", "pr-setup")
        .add(
            Tag.of("h1").text("Welcome to Power Reader!"),
            Tag.of("p")
                .text("All posts and comments of the forum on one page, newest first. What you have"
                    + " read turns grey, and the next visit goes on where you stopped."),
            Tag.of("label").with("for", "loadFromDate").text("Start with what was written since"),
            Tag.of("div", "pr-setup-row").add(date, start),
            Tag.of("p", "pr-quiet")
                .text("Leave the date empty to start with the most recent comments."));
  }
}
