package dev.syncguard.site;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.Heading;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.node.SoftLineBreak;
import org.commonmark.node.Text;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;

/** Markdown as the places read it where repositories are hosted: tables, and an anchor for each heading. */
final class Markdown {
  private static final Parser PARSER =
      Parser.builder().extensions(List.of(TablesExtension.create())).build();

  /** Longer ones may be broken anywhere, so that they do not make a table wider than the page. */
  private static final int LONG_CODE = 28;

  private Markdown() {}

  static Node parse(String text) {
    return PARSER.parse(text);
  }

  /** Returns the page as HTML, with each destination of a link or image passed through {@code resolve}. */
  static String render(Node document, UnaryOperator<String> resolve) {
    Map<Heading, String> anchors = anchors(document);
    return HtmlRenderer.builder()
        .extensions(List.of(TablesExtension.create()))
        .attributeProviderFactory(context -> (node, tag, attributes) -> {
          if (node instanceof Heading heading) {
            attributes.put("id", anchors.get(heading));
          } else if (node instanceof Link link && tag.equals("a")) {
            attributes.put("href", resolve.apply(link.getDestination()));
          } else if (node instanceof Image image) {
            attributes.put("src", resolve.apply(image.getDestination()));
            attributes.put("loading", "lazy");
          } else if (node instanceof Code code && code.getLiteral().length() > LONG_CODE) {
            attributes.put("class", "long");
          }
        })
        .nodeRendererFactory(CodeBlocks::new)
        .build()
        .render(document);
  }

  /** Returns the destinations of all links and images. */
  static List<String> destinations(Node document) {
    List<String> found = new ArrayList<>();
    document.accept(new AbstractVisitor() {
      @Override
      public void visit(Link link) {
        found.add(link.getDestination());
        visitChildren(link);
      }

      @Override
      public void visit(Image image) {
        found.add(image.getDestination());
      }
    });
    return found;
  }

  /** Returns the headings of a page, each with the plain text between it and the next one. */
  static List<Page.Section> sections(Node document) {
    List<Page.Section> sections = new ArrayList<>();
    Map<Heading, String> anchors = anchors(document);
    Heading current = null;
    StringBuilder text = new StringBuilder();
    for (Node block = document.getFirstChild(); block != null; block = block.getNext()) {
      if (block instanceof Heading next) {
        if (current != null) {
          sections.add(section(current, anchors, text));
        }
        current = next;
        text = new StringBuilder();
      } else {
        text.append(plain(block)).append(' ');
      }
    }
    if (current != null) {
      sections.add(section(current, anchors, text));
    }
    return sections;
  }

  private static Page.Section section(
      Heading heading, Map<Heading, String> anchors, CharSequence text) {
    return new Page.Section(
        heading.getLevel(),
        plain(heading).strip(),
        anchors.getOrDefault(heading, ""),
        text.toString().replaceAll("\\s+", " ").strip());
  }

  /** Returns the words of a node, without its markup. */
  static String plain(Node node) {
    StringBuilder text = new StringBuilder();
    node.accept(new AbstractVisitor() {
      @Override
      public void visit(Text words) {
        text.append(words.getLiteral());
      }

      @Override
      public void visit(Code code) {
        text.append(code.getLiteral());
      }

      @Override
      public void visit(FencedCodeBlock block) {
        text.append(' ').append(block.getLiteral()).append(' ');
      }

      @Override
      public void visit(SoftLineBreak lineBreak) {
        text.append(' ');
      }

      @Override
      protected void visitChildren(Node parent) {
        super.visitChildren(parent);
        if (parent.getNext() != null && !(parent instanceof Link)) {
          text.append(' ');
        }
      }
    });
    return text.toString();
  }

  private static Map<Heading, String> anchors(Node document) {
    Map<Heading, String> anchors = new HashMap<>();
    Map<String, Integer> used = new HashMap<>();
    for (Node block = document.getFirstChild(); block != null; block = block.getNext()) {
      if (block instanceof Heading heading) {
        String name = plain(heading)
            .strip()
            .toLowerCase(Locale.ROOT)
            .replaceAll("[^\\p{L}\\p{N} _-]", "")
            .replace(' ', '-');
        int before = used.merge(name, 1, Integer::sum) - 1;
        anchors.put(heading, before == 0 ? name : name + "-" + before);
      }
    }
    return anchors;
  }
}
