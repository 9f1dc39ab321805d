package dev.syncguard.site;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Turns links between files of the repository into links between pages, and remembers those that lead nowhere. */
final class Links {
  private final Path repository;
  private final Map<Path, Page> pages;
  private final Set<Path> files = new TreeSet<>();
  private final Set<String> broken = new TreeSet<>();

  Links(Path repository, Map<Path, Page> pages) {
    this.repository = repository;
    this.pages = pages;
  }

  /** Files that pages refer to and that are no pages: pictures, licences, scripts. */
  Set<Path> files() {
    return files;
  }

  Set<String> broken() {
    return broken;
  }

  /** Returns where a link of this page leads on the site. */
  String resolve(Page from, String destination) {
    if (destination.matches("[a-z]+:.*")) {
      return destination;
    }
    int hash = destination.indexOf('#');
    String anchor = hash < 0 ? "" : destination.substring(hash + 1);
    String path = hash < 0 ? destination : destination.substring(0, hash);
    Path target =
        path.isEmpty() ? from.source() : from.source().resolveSibling(path).normalize();
    return from.toRoot()
        + address(from, target, anchor, destination)
        + (anchor.isEmpty() ? "" : "#" + anchor);
  }

  private String address(Page from, Path target, String anchor, String destination) {
    Page page = pages.get(target);
    if (page == null) {
      page = pages.get(target.resolve("README.md"));
    }
    if (page != null) {
      if (!anchor.isEmpty()
          && page.sections().stream().noneMatch(section -> section.anchor().equals(anchor))) {
        broken.add(from.source() + ": " + destination);
      }
      return page.address();
    }
    if (Files.isRegularFile(repository.resolve(target))) {
      files.add(target);
    } else {
      broken.add(from.source() + ": " + destination);
    }
    return target.toString();
  }
}
