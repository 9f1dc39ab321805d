package dev.syncguard.site;

import java.nio.file.Path;
import java.util.Collection;

/** A page for a directory that has none: the titles of what it holds. */
final class Listing {

  private Listing() {}

  static Page of(Path directory, Collection<Page> pages) {
    String name = directory.getFileName().toString();
    StringBuilder text = new StringBuilder("# " + title(name) + "\n\n");
    for (Page page : pages) {
      if (directory.equals(page.source().getParent())) {
        text.append("- [")
            .append(page.title())
            .append("](")
            .append(page.source().getFileName())
            .append(")\n");
      }
    }
    var document = Markdown.parse(text.toString());
    return new Page(
        directory.resolve("README.md"), title(name), document, Markdown.sections(document));
  }

  private static String title(String name) {
    return switch (name) {
      case "adr" -> "Decision records";
      case "results" -> "Measurements";
      case "backends" -> "Stores";
      default -> Character.toUpperCase(name.charAt(0)) + name.substring(1);
    };
  }
}
