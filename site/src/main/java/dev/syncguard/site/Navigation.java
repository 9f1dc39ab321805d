package dev.syncguard.site;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.node.Paragraph;
import org.commonmark.node.StrongEmphasis;

/** The order of the pages: what {@code docs/README.md} lists, under the words that it prints in bold. */
record Navigation(List<Group> groups) {

  record Group(String name, List<Entry> entries) {}

  /**
   * One link.
   *
   * @param target a file or directory, from the root of the repository
   */
  record Entry(String name, Path target) {}

  static Navigation of(Page contents) {
    List<Group> groups = new ArrayList<>();
    for (Node block = contents.document().getFirstChild(); block != null; block = block.getNext()) {
      if (block instanceof Paragraph && block.getFirstChild() instanceof StrongEmphasis name) {
        groups.add(new Group(Markdown.plain(name).strip(), new ArrayList<>()));
      }
      if (!groups.isEmpty()) {
        addLinks(block, contents.source(), groups.get(groups.size() - 1).entries());
      }
    }
    return new Navigation(groups);
  }

  private static void addLinks(Node block, Path from, List<Entry> entries) {
    block.accept(new AbstractVisitor() {
      @Override
      public void visit(Link link) {
        String name = Markdown.plain(link).strip();
        Path target =
            from.resolveSibling(link.getDestination().replaceFirst("#.*", "")).normalize();
        entries.add(new Entry(Character.toUpperCase(name.charAt(0)) + name.substring(1), target));
      }
    });
  }
}
