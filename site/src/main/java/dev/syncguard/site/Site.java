package dev.syncguard.site;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All pages of a repository, and how they are written as a site. */
final class Site {
  private static final List<String> ROOTS =
      List.of("docs", "examples", "benchmarks/results", "lock-testkit");
  private static final List<String> ASSETS =
      List.of("style.css", "theme.js", "site.js", "icon.svg");
  private static final String MERMAID = "META-INF/resources/webjars/mermaid/";

  private final Path repository;
  private final Map<Path, Page> pages;
  private final Navigation navigation;

  private Site(Path repository, Map<Path, Page> pages, Navigation navigation) {
    this.repository = repository;
    this.pages = pages;
    this.navigation = navigation;
  }

  static Site read(Path repository) throws IOException {
    Map<Path, Page> pages = new TreeMap<>();
    for (Path file : sources(repository)) {
      var document = Markdown.parse(Files.readString(file));
      var sections = Markdown.sections(document);
      if (sections.isEmpty()) {
        throw new IllegalArgumentException(file + " has no heading");
      }
      Path source = repository.relativize(file);
      pages.put(source, new Page(source, sections.get(0).heading(), document, sections));
    }
    Page contents = pages.get(Path.of("docs/README.md"));
    if (contents == null) {
      throw new IllegalArgumentException("docs/README.md, which gives the order, is missing");
    }
    for (Path directory : directoriesToList(pages)) {
      Page list = Listing.of(directory, pages.values());
      pages.put(list.source(), list);
    }
    return new Site(repository, pages, Navigation.of(contents));
  }

  private static List<Path> sources(Path repository) throws IOException {
    List<Path> files = new ArrayList<>();
    try (Stream<Path> top = Files.list(repository)) {
      top.filter(Files::isRegularFile).forEach(files::add);
    }
    for (String root : ROOTS) {
      try (Stream<Path> below = Files.walk(repository.resolve(root))) {
        below.filter(file -> !file.toString().contains("/target/")).forEach(files::add);
      }
    }
    return files.stream()
        .filter(file -> file.toString().endsWith(".md"))
        .sorted()
        .toList();
  }

  /** Returns the directories that a page links to and that have no page of their own. */
  private static Set<Path> directoriesToList(Map<Path, Page> pages) {
    Set<Path> holding = pages.keySet().stream()
        .map(Path::getParent)
        .filter(Objects::nonNull)
        .collect(Collectors.toSet());
    Set<Path> linked = new TreeSet<>();
    for (Page page : pages.values()) {
      for (String destination : Markdown.destinations(page.document())) {
        if (destination.startsWith("#")) {
          continue; // a heading of the same page, not the directory that it is in
        }
        Path target =
            page.source().resolveSibling(destination.replaceFirst("#.*", "")).normalize();
        if (holding.contains(target) && !pages.containsKey(target.resolve("README.md"))) {
          linked.add(target);
        }
      }
    }
    return linked;
  }

  Map<Path, Page> pages() {
    return pages;
  }

  Navigation navigation() {
    return navigation;
  }

  void write(Path target) throws IOException {
    Links links = new Links(repository, pages);
    Template template = new Template(this, links);
    for (Page page : pages.values()) {
      Path file = target.resolve(page.address());
      Files.createDirectories(file.getParent());
      Files.writeString(file, template.fill(page));
    }
    if (!links.broken().isEmpty()) {
      throw new IllegalArgumentException(
          "Links that lead nowhere:\n" + String.join("\n", links.broken()));
    }
    for (Path file : links.files()) {
      Files.createDirectories(target.resolve(file).getParent());
      Files.copy(
          repository.resolve(file), target.resolve(file), StandardCopyOption.REPLACE_EXISTING);
    }
    Path assets = Files.createDirectories(target.resolve("assets"));
    Files.writeString(assets.resolve("search-index.js"), SearchIndex.of(pages.values()));
    for (String asset : ASSETS) {
      copy("dev/syncguard/site/" + asset, assets.resolve(asset));
    }
    copy(MERMAID + mermaidVersion() + "/dist/mermaid.min.js", assets.resolve("mermaid.min.js"));
  }

  private static String mermaidVersion() throws IOException {
    try (InputStream in = open("META-INF/maven/org.webjars.npm/mermaid/pom.properties")) {
      var properties = new java.util.Properties();
      properties.load(in);
      return properties.getProperty("version");
    }
  }

  private static void copy(String resource, Path file) throws IOException {
    try (InputStream in = open(resource)) {
      Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  static InputStream open(String resource) {
    InputStream in = Site.class.getClassLoader().getResourceAsStream(resource);
    if (in == null) {
      throw new UncheckedIOException(new IOException(resource + " is missing"));
    }
    return in;
  }
}
