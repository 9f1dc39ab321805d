package dev.syncguard.userscript.page;

/** What is shown when nothing new was written. */
final class EmptyFeed {

  private EmptyFeed() {}

  static Tag show(String loadFrom, Runnable again, Runnable otherDate) {
    long from = Dates.millis(loadFrom);
    String since = from < 0 ? "" : " since " + Dates.shown(from);
    return Tag.of("section", "pr-info")
        .add(
            Tag.of("h2").text("Nothing new"),
            Tag.of("p").text("Nobody has written anything" + since + "."),
            Tag.of("div", "pr-setup-row")
                .add(
                    Tag.button("pr-check-now-btn", "Check again", again).with("autofocus", ""),
                    Tag.button("pr-change-date-btn", "Choose another date", otherDate)),
            Tag.of("p", "pr-quiet").add(Tag.link("/reader/reset", "Reset everything…")));
  }
}
