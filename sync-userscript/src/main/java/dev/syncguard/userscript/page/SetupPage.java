package dev.syncguard.userscript.page;

import dev.syncguard.sync.ReaderState;
import java.util.function.Consumer;
import org.teavm.jso.dom.html.HTMLElement;
import org.teavm.jso.dom.html.HTMLInputElement;

/** The question with which a new reader begins: from when on? */
final class SetupPage {

  private SetupPage() {}

  /** Returns the page; {@code chosen} gets a date-time or {@link ReaderState#LOAD_RECENT}. */
  static Tag show(long now, Consumer<String> chosen) {
    String today = Dates.localDay(now);
    HTMLElement problem = Tag.of("p", "pr-problem").with("role", "alert").element();
    Tag date = Tag.of("input")
        .id("loadFromDate")
        .with("type", "date")
        .with("max", today)
        .with("autofocus", "");
    Tag start = Tag.button("startReading", "Start reading", () -> {
      String day = ((HTMLInputElement) date.element()).getValue();
      if (day.isEmpty()) {
        chosen.accept(ReaderState.LOAD_RECENT);
      } else if (Dates.millis(Dates.localMidnight(day)) > now) {
        problem.setTextContent("That day is still to come. Choose one up to " + today + ".");
      } else {
        chosen.accept(Dates.localMidnight(day));
      }
    });
    return Tag.of("section", "pr-setup")
        .add(
            Tag.of("h2").text("Welcome to Power Reader!"),
            Tag.of("p")
                .text("All posts and comments of the forum on one page, newest first. What you have"
                    + " read turns grey, and the next visit goes on where you stopped."),
            Tag.of("label").with("for", "loadFromDate").text("Start with what was written since"),
            Tag.of("div", "pr-setup-row").add(date, start))
        .add(problem)
        .add(Tag.of("p", "pr-quiet")
            .text("Leave the date empty to start with the most recent comments."));
  }
}
