package dev.syncguard.userscript.page;

import dev.syncguard.sync.ReaderState;
import java.util.function.Consumer;
import org.teavm.jso.JSBody;
import org.teavm.jso.dom.html.HTMLElement;
import org.teavm.jso.dom.html.HTMLInputElement;

/** The question with which a new reader begins: from when on? */
final class SetupPage {

  private static final String FIRST_DAY = "1970-01-01";

  private SetupPage() {}

  /** Returns the page; {@code chosen} gets a date-time or {@link ReaderState#LOAD_RECENT}. */
  static Tag show(long now, Consumer<String> chosen) {
    String today = Dates.localDay(now);
    HTMLElement problem = Tag.of("p", "pr-problem").with("role", "alert").element();
    Tag date = Tag.of("input")
        .id("loadFromDate")
        .with("type", "date")
        .with("min", FIRST_DAY)
        .with("max", today)
        .with("autofocus", "");
    Tag start = Tag.button("startReading", "Start reading", () -> {
      HTMLInputElement input = (HTMLInputElement) date.element();
      String day = input.getValue();
      if (isIncomplete(input)) {
        problem.setTextContent("That day is not complete. Complete it, or leave it empty.");
      } else if (day.isEmpty()) {
        chosen.accept(ReaderState.LOAD_RECENT);
      } else if (Dates.millis(Dates.localMidnight(day)) > now) {
        problem.setTextContent("That day is still to come. Choose one up to " + today + ".");
      } else if (day.compareTo(FIRST_DAY) < 0) {
        problem.setTextContent(
            "That is too long ago. Choose a day from " + FIRST_DAY + " to " + today + ".");
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

  /** Returns whether somebody has begun to type a day; its value is empty then, too. */
  @JSBody(params = "input", script = "return input.validity.badInput;")
  private static native boolean isIncomplete(HTMLInputElement input);
}
