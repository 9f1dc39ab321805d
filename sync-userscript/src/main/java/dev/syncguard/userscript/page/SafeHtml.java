package dev.syncguard.userscript.page;

import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.teavm.jso.JSBody;
import org.teavm.jso.dom.html.HTMLDocument;
import org.teavm.jso.dom.html.HTMLElement;
import org.teavm.jso.dom.xml.Element;
import org.teavm.jso.dom.xml.Node;

/**
 * Copies the text of posts and comments into the page, and of their markup only what is known to be harmless.
 *
 * <p>The forum cleans what its users write; this is the second lock on the door, because the script has more rights than
 * the forum's own page.
 */
final class SafeHtml {

  private static final Set<String> KEPT = Set.of(
      "a",
      "abbr",
      "b",
      "blockquote",
      "br",
      "caption",
      "code",
      "dd",
      "del",
      "details",
      "div",
      "dl",
      "dt",
      "em",
      "figcaption",
      "figure",
      "h1",
      "h2",
      "h3",
      "h4",
      "h5",
      "h6",
      "hr",
      "i",
      "img",
      "ins",
      "kbd",
      "li",
      "mark",
      "ol",
      "p",
      "pre",
      "q",
      "s",
      "samp",
      "small",
      "span",
      "strong",
      "sub",
      "summary",
      "sup",
      "table",
      "tbody",
      "td",
      "tfoot",
      "th",
      "thead",
      "tr",
      "u",
      "ul",
      "var");

  /** Elements whose content is not text either. */
  private static final Set<String> DROPPED = Set.of(
      "script",
      "style",
      "template",
      "iframe",
      "object",
      "embed",
      "noscript",
      "svg",
      "math",
      "form",
      "input",
      "textarea",
      "select",
      "button",
      "link",
      "meta",
      "base",
      "head",
      "title");

  private SafeHtml() {}

  /** Returns an address that is safe to follow, or an empty string for any other. */
  static String address(@Nullable String address) {
    return address != null && isWebAddress(address) ? address : "";
  }

  /** Appends what an item says to {@code target}. */
  static void append(Item item, HTMLElement target) {
    copyChildren(inertBody(item.html()), target);
  }

  private static void copyChildren(Node from, Node to) {
    for (Node child = from.getFirstChild(); child != null; child = child.getNextSibling()) {
      if (child.getNodeType() == Node.TEXT_NODE) {
        to.appendChild(HTMLDocument.current().createTextNode(child.getNodeValue()));
      } else if (child.getNodeType() == Node.ELEMENT_NODE) {
        copy((Element) child, to);
      }
    }
  }

  private static void copy(Element element, Node to) {
    String name = element.getLocalName();
    if (DROPPED.contains(name)) {
      return;
    }
    if (!KEPT.contains(name)) {
      copyChildren(element, to);
      return;
    }
    HTMLElement copy = HTMLDocument.current().createElement(name);
    if (name.equals("a") && isWebAddress(element.getAttribute("href"))) {
      copy.setAttribute("href", element.getAttribute("href"));
      copy.setAttribute("rel", "noopener noreferrer");
      copy.setAttribute("target", "_blank");
    } else if (name.equals("img") && isWebAddress(element.getAttribute("src"))) {
      copy.setAttribute("src", element.getAttribute("src"));
      copy.setAttribute("loading", "lazy");
      String alternative = element.getAttribute("alt");
      copy.setAttribute("alt", alternative == null ? "" : alternative);
      // Keeps the place of a picture that is yet to come, so that the text does not jump.
      keepNumber(element, copy, "width");
      keepNumber(element, copy, "height");
    } else if (name.equals("td") || name.equals("th")) {
      keepNumber(element, copy, "colspan");
      keepNumber(element, copy, "rowspan");
    }
    copyChildren(element, copy);
    to.appendChild(copy);
  }

  private static void keepNumber(Element from, Element to, String attribute) {
    String value = from.getAttribute(attribute);
    if (value != null && isSmallNumber(value)) {
      to.setAttribute(attribute, value);
    }
  }

  // Character.isDigit would bring the digits of all scripts along.
  private static boolean isSmallNumber(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return false;
      }
    }
    return !text.isEmpty() && text.length() < 5;
  }

  @JSBody(
      params = "address",
      script = "if (!address) return false; try { var p = new URL(address, location.href).protocol;"
          + " return p === 'https:' || p === 'http:' || p === 'mailto:'; } catch (e) { return"
          + " false; }")
  private static native boolean isWebAddress(String address);

  /** A parsed document runs and loads nothing. */
  @JSBody(
      params = "html",
      script = "return new DOMParser().parseFromString(html, 'text/html').body;")
  private static native HTMLElement inertBody(String html);
}
