package dev.syncguard.site;

import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.Node;
import org.commonmark.renderer.NodeRenderer;
import org.commonmark.renderer.html.HtmlNodeRendererContext;
import org.commonmark.renderer.html.HtmlWriter;

/** Writes code with its comments, strings and keywords told apart, and leaves diagrams to the browser. */
final class CodeBlocks implements NodeRenderer {
  private static final String STRING =
      "(?<string>\"(?:[^\"\\\\\\n]|\\\\.)*\"|'(?:[^'\\\\\\n]|\\\\.)*')";
  private static final Pattern C_LIKE = Pattern.compile(
      "(?<comment>//[^\\n]*|/\\*.*?\\*/)|" + STRING
          + "|(?<keyword>\\b(?:allow|boolean|case|catch|class|else|extends|final|finally|for|fun|if|implements|import|in"
          + "|instanceof|int|interface|long|match|new|package|private|public|record|return|service|static|this|throw"
          + "|throws|true|false|null|try|val|var|void|while)\\b)",
      Pattern.DOTALL);
  private static final Pattern SHELL = Pattern.compile(
      "(?<comment>(?<=^|\\s)#[^\\n]*)|" + STRING + "|(?<keyword>(?<=^|\\n)\\./[\\w/.-]+)");
  private static final Pattern XML = Pattern.compile(
      "(?<comment><!--.*?-->)|" + STRING + "|(?<keyword></?[\\w.:-]+)", Pattern.DOTALL);
  private static final Map<String, Pattern> LANGUAGES = Map.of(
      "java",
      C_LIKE,
      "kotlin",
      C_LIKE,
      "js",
      C_LIKE,
      "javascript",
      C_LIKE,
      "json",
      C_LIKE,
      "sh",
      SHELL,
      "yaml",
      SHELL,
      "properties",
      SHELL,
      "xml",
      XML);

  private final HtmlWriter html;

  CodeBlocks(HtmlNodeRendererContext context) {
    this.html = context.getWriter();
  }

  @Override
  public Set<Class<? extends Node>> getNodeTypes() {
    return Set.of(FencedCodeBlock.class);
  }

  @Override
  public void render(Node node) {
    FencedCodeBlock block = (FencedCodeBlock) node;
    String language = block.getInfo().replaceFirst("\\s.*", "");
    html.line();
    if (language.equals("mermaid")) {
      html.raw("<pre class=\"mermaid\">" + Html.escape(block.getLiteral()) + "</pre>");
    } else {
      html.raw("<pre tabindex=\"0\"><code>" + coloured(block.getLiteral(), LANGUAGES.get(language))
          + "</code></pre>");
    }
    html.line();
  }

  private static String coloured(String code, @org.jspecify.annotations.Nullable Pattern language) {
    if (language == null) {
      return Html.escape(code);
    }
    StringBuilder out = new StringBuilder();
    Matcher tokens = language.matcher(code);
    int end = 0;
    while (tokens.find()) {
      String kind =
          tokens.group("comment") != null ? "c" : tokens.group("string") != null ? "s" : "k";
      out.append(Html.escape(code.substring(end, tokens.start())))
          .append("<i class=\"")
          .append(kind)
          .append("\">")
          .append(Html.escape(tokens.group()))
          .append("</i>");
      end = tokens.end();
    }
    return out.append(Html.escape(code.substring(end))).toString();
  }
}
