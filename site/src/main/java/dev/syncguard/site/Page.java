package dev.syncguard.site;

import java.nio.file.Path;
import java.util.List;
import org.commonmark.node.Node;

/**
 * One Markdown file, read.
 *
 * @param source where it is, from the root of the repository
 * @param title its first heading
 * @param sections its headings, each with the text below it, in order
 */
record Page(Path source, String title, Node document, List<Section> sections) {

  /**
   * What stands below one heading.
   *
   * @param level 1 for the title of the page
   */
  record Section(int level, String heading, String anchor, String text) {}

  /** Where the page will be, from the root of the site: a README becomes the index of its directory. */
  String address() {
    return addressOf(source);
  }

  static String addressOf(Path source) {
    String path = source.toString().replace('\\', '/');
    return path.endsWith("README.md")
        ? path.replaceFirst("README\\.md$", "index.html")
        : path.replaceFirst("\\.md$", ".html");
  }

  /** What leads from this page to the root of the site: {@code ../} for each directory. */
  String toRoot() {
    return "../".repeat(source.getNameCount() - 1);
  }
}
