package dev.syncguard.site;

import java.util.Collection;
import java.util.StringJoiner;

/** All sections as a script, so that searching works without a server. */
final class SearchIndex {
  private static final int LONGEST = 4_000;

  private SearchIndex() {}

  static String of(Collection<Page> pages) {
    StringJoiner entries = new StringJoiner(",\n", "window.searchIndex = [\n", "\n];\n");
    for (Page page : pages) {
      for (Page.Section section : page.sections()) {
        String text = section.text();
        entries.add("[" + Html.json(page.address() + "#" + section.anchor()) + ","
            + Html.json(page.title()) + ","
            + Html.json(section.heading()) + ","
            + Html.json(text.substring(0, Math.min(text.length(), LONGEST))) + "]");
      }
    }
    return entries.toString();
  }
}
