package dev.syncguard.site;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** The frame around each page: navigation, search, what is on the page, and the next one. */
final class Template {
  private static final Pattern PLACE = Pattern.compile("\\{\\{(\\w+)}}");

  private final Site site;
  private final Links links;
  private final String frame;

  Template(Site site, Links links) throws IOException {
    this.site = site;
    this.links = links;
    try (InputStream in = Site.open("dev/syncguard/site/page.html")) {
      this.frame = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  String fill(Page page) {
    String content = Markdown.render(
            page.document(), destination -> links.resolve(page, destination))
        .replace("<table>", "<div class=\"wide\" tabindex=\"0\"><table>")
        .replace("</table>", "</table></div>");
    Map<String, String> places = Map.of(
        "title", Html.escape(page.title()),
        "root", page.toRoot(),
        "navigation", navigation(page),
        "content", content,
        "outline", outline(page),
        "neighbours", neighbours(page),
        "diagrams",
            content.contains("class=\"mermaid\"")
                ? "<script defer src=\"" + page.toRoot() + "assets/mermaid.min.js\"></script>"
                : "");
    return PLACE
        .matcher(frame)
        .replaceAll(place ->
            java.util.regex.Matcher.quoteReplacement(places.getOrDefault(place.group(1), "")));
  }

  private String navigation(Page page) {
    StringBuilder html = new StringBuilder();
    for (Navigation.Group group : site.navigation().groups()) {
      html.append("<h2>").append(Html.escape(group.name())).append("</h2>\n<ul>\n");
      for (Navigation.Entry entry : group.entries()) {
        html.append("<li>").append(link(page, entry)).append("</li>\n");
      }
      html.append("</ul>\n");
    }
    return html.toString();
  }

  private String link(Page page, Navigation.Entry entry) {
    String address = links.resolve(page, relative(page, entry.target()));
    boolean here = pageOf(entry.target()).equals(page.source());
    return "<a href=\"" + address + "\"" + (here ? " aria-current=\"page\"" : "") + ">"
        + Html.escape(entry.name()) + "</a>";
  }

  private static String relative(Page page, Path target) {
    return page.toRoot() + target;
  }

  /** A directory stands for its README. */
  private Path pageOf(Path target) {
    return site.pages().containsKey(target) ? target : target.resolve("README.md");
  }

  private static String outline(Page page) {
    List<Page.Section> below =
        page.sections().stream().filter(section -> section.level() == 2).toList();
    if (below.size() < 2) {
      return "";
    }
    StringBuilder html = new StringBuilder("<h2>On this page</h2>\n<ul>\n");
    for (Page.Section section : below) {
      html.append("<li><a href=\"#")
          .append(section.anchor())
          .append("\">")
          .append(Html.escape(section.heading()))
          .append("</a></li>\n");
    }
    return html.append("</ul>").toString();
  }

  private String neighbours(Page page) {
    List<Navigation.Entry> order = new ArrayList<>();
    site.navigation().groups().forEach(group -> order.addAll(group.entries()));
    for (int i = 0; i < order.size(); i++) {
      if (pageOf(order.get(i).target()).equals(page.source())) {
        return (i > 0 ? "<span>← " + link(page, order.get(i - 1)) + "</span>" : "<span></span>")
            + (i + 1 < order.size() ? "<span>" + link(page, order.get(i + 1)) + " →</span>" : "");
      }
    }
    return "";
  }
}
