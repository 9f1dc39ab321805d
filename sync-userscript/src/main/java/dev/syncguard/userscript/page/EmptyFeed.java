package dev.syncguard.userscript.page;

import org.teavm.jso.browser.Window;

/** What is shown when nothing new was written. */
final class EmptyFeed {

  private EmptyFeed() {}

  static Tag show(String loadFrom, Runnable again) {
    long from = Dates.millis(loadFrom);
    String since = from < 0 ? "" : " since " + Dates.shown(from);
    return Tag.of("section", "pr-info")
        .add(
            Tag.of("h2").text("Nothing new"),
            Tag.of("p").text("Nobody has written anything" + since + "."),
            Tag.of("div", "pr-setup-row")
                .add(
                    Tag.button("pr-check-now-btn", "Check again", again),
                    // Only a reset lets an earlier date win on all devices.
                    Tag.button("pr-change-date-btn", "Choose another date", EmptyFeed::startOver)),
            Tag.of("p", "pr-quiet").add(Tag.link("/reader/reset", "Reset everything")));
  }

  private static void startOver() {
    if (Window.confirm(
        "Choosing another date forgets your read marks and preferences on all of your devices. Go"
            + " on?")) {
      Window.current().getLocation().assign("/reader/reset");
    }
  }
}
