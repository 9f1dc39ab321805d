package dev.syncguard.userscript.page;

import java.util.HashSet;
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
 * the forum's own page. Formulas keep their classes and a few lengths, notes their names with the item's id before them,
 * spoilers become something to open, headings go on from those of the page, and what was embedded becomes a link.
 */
final class SafeHtml {

  private static final Set<String> KEPT =
      words("a abbr b blockquote br caption cite code dd del details div dl dt em"
          + " figcaption figure hr i img ins kbd li mark ol p pre q s samp section small span strong sub"
          + " summary sup table tbody td tfoot th thead tr u ul var");

  private static final Set<String> FORMULA =
      words("math mrow mi mn mo mtext mspace mfrac msqrt mroot msub msup msubsup munder mover"
          + " munderover mtable mtr mtd mstyle mpadded mphantom merror semantics");

  /** Elements whose content is not text either. */
  private static final Set<String> DROPPED = words("script style template object embed noscript svg"
      + " form input textarea select button link meta base head title annotation annotation-xml");

  private static final Set<String> EMBEDDED = words("iframe video audio");

  private final String idPrefix;
  private final int topHeading;
  private final int firstHeading;
  private int lastHeading;

  private SafeHtml(Item item, int firstHeading) {
    this.idPrefix = "pr-in-" + item.id() + "-";
    this.topHeading = item.isPost() ? 3 : 4;
    this.firstHeading = firstHeading;
    this.lastHeading = topHeading - 1;
  }

  /** String.split would bring regular expressions along. */
  private static Set<String> words(String text) {
    Set<String> words = new HashSet<>();
    for (int start = 0, end; start < text.length(); start = end + 1) {
      end = text.indexOf(' ', start);
      end = end < 0 ? text.length() : end;
      words.add(text.substring(start, end));
    }
    return words;
  }

  /** Returns an address that is safe to follow, or an empty string for any other. */
  static String address(@Nullable String address) {
    return address != null && isWebAddress(address) ? address : "";
  }

  /** Appends what an item says to {@code target}. */
  static void append(Item item, HTMLElement target) {
    HTMLElement body = inertBody(item.html());
    new SafeHtml(item, firstHeading(body)).copyChildren(body, target);
  }

  private void copyChildren(Node from, Node to) {
    for (Node child = from.getFirstChild(); child != null; child = child.getNextSibling()) {
      if (child.getNodeType() == Node.TEXT_NODE) {
        to.appendChild(HTMLDocument.current().createTextNode(child.getNodeValue()));
      } else if (child.getNodeType() == Node.ELEMENT_NODE) {
        copy((Element) child, to);
      }
    }
  }

  private void copy(Element element, Node to) {
    String name = element.getLocalName();
    if (DROPPED.contains(name)) {
      return;
    }
    if (EMBEDDED.contains(name)) {
      copyEmbedded(element, to);
    } else if (FORMULA.contains(name)) {
      copyInto(formulaElement(name), element, to);
    } else if (name.length() == 2 && name.charAt(0) == 'h' && isSmallNumber(name.substring(1))) {
      copyInto(create("h" + heading(name.charAt(1) - '0')), element, to);
    } else if (isSpoiler(element)) {
      HTMLElement details =
          Tag.of("details", "pr-spoiler").add(Tag.of("summary").text("Spoiler")).element();
      copyInto(details, element, to);
    } else if (KEPT.contains(name)) {
      HTMLElement copy = create(name);
      keepAttributes(name, element, copy);
      copyInto(copy, element, to);
    } else {
      copyChildren(element, to);
    }
  }

  private void copyInto(Element copy, Element original, Node to) {
    String id = original.getAttribute("id");
    if (id != null && !id.isEmpty()) {
      copy.setAttribute("id", idPrefix + id);
    }
    copyChildren(original, copy);
    to.appendChild(copy);
  }

  private void keepAttributes(String name, Element from, HTMLElement to) {
    if (name.equals("a")) {
      keepLink(from.getAttribute("href"), to);
    } else if (name.equals("img")) {
      keepPicture(from, to);
    } else if (name.equals("span")) {
      keepFormula(from, to);
    } else if (name.equals("td") || name.equals("th")) {
      keepNumber(from, to, "colspan");
      keepNumber(from, to, "rowspan");
      keepAlignment(from, to);
    }
  }

  private void keepLink(@Nullable String address, HTMLElement to) {
    if (address != null && address.startsWith("#")) {
      to.setAttribute("href", "#" + idPrefix + address.substring(1));
    } else if (isWebAddress(address)) {
      to.setAttribute("href", address);
      to.setAttribute("rel", "noopener noreferrer");
      to.setAttribute("target", "_blank");
    }
  }

  private static void keepPicture(Element from, HTMLElement to) {
    String address = from.getAttribute("src");
    if (isWebAddress(address)) {
      to.setAttribute("src", address);
      to.setAttribute("loading", "lazy");
      String alternative = from.getAttribute("alt");
      to.setAttribute("alt", alternative == null ? "" : alternative);
      // Keeps the place of a picture that is yet to come, so that the text does not jump.
      keepNumber(from, to, "width");
      keepNumber(from, to, "height");
    }
  }

  /** Keeps what gives a formula its shape: the classes of the typesetter and lengths, never positions. */
  private static void keepFormula(Element from, HTMLElement to) {
    String classes = formulaClasses(from);
    if (classes.isEmpty()) {
      return;
    }
    to.setAttribute("class", classes);
    keepLengths(from, to);
    String source = from.getAttribute("aria-label");
    if (source != null && !source.isEmpty()) {
      to.setAttribute("role", "math");
      to.setAttribute("aria-label", source);
    }
  }

  private static void copyEmbedded(Element element, Node to) {
    String address = address(element.getAttribute("src"));
    if (!address.isEmpty()) {
      to.appendChild(Tag.link(address, "Embedded: " + host(address))
          .with("rel", "noopener noreferrer")
          .with("target", "_blank")
          .element());
    }
  }

  /** Returns the level of a heading on this page: below its item, and never more than one step deeper than the last. */
  private int heading(int level) {
    lastHeading =
        Math.min(6, Math.min(lastHeading + 1, topHeading + Math.max(0, level - firstHeading)));
    return lastHeading;
  }

  private static HTMLElement create(String name) {
    return HTMLDocument.current().createElement(name);
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

  @JSBody(params = "element", script = "return /(^| )spoilers?( |$)/.test(element.className);")
  private static native boolean isSpoiler(Element element);

  @JSBody(
      params = "element",
      script =
          "return (element.className.match(/(^| )(mjx|MJXc)-[\\w-]+/g) || []).join('').trim();")
  private static native String formulaClasses(Element element);

  @JSBody(
      params = {"from", "to"},
      script = "['width', 'height', 'fontSize', 'verticalAlign', 'paddingTop', 'paddingRight',"
          + " 'paddingBottom', 'paddingLeft', 'marginTop', 'marginRight', 'marginBottom',"
          + " 'marginLeft'].forEach(function(p) { var v = from.style[p]; if"
          + " (/^-?\\d{0,2}(\\.\\d+)?(em|px|%)$/.test(v)) to.style[p] = v; });")
  private static native void keepLengths(Element from, HTMLElement to);

  @JSBody(
      params = {"from", "to"},
      script =
          "var a = from.style.textAlign; if (/^(left|right|center)$/.test(a)) to.style.textAlign"
              + " = a;")
  private static native void keepAlignment(Element from, HTMLElement to);

  @JSBody(
      params = "body",
      script = "for (var i = 1; i < 7; i++) if (body.querySelector('h' + i)) return i; return 1;")
  private static native int firstHeading(HTMLElement body);

  @JSBody(
      params = "name",
      script = "return document.createElementNS('http://www.w3.org/1998/Math/MathML', name);")
  private static native Element formulaElement(String name);

  @JSBody(params = "address", script = "return new URL(address, location.href).host;")
  private static native String host(String address);

  @JSBody(
      params = "address",
      script = "if (!address) return false; try { var p = new URL(address, location.href).protocol;"
          + " return p === 'https:' || p === 'http:' || p === 'mailto:'; } catch (e) { return"
          + " false; }")
  private static native boolean isWebAddress(@Nullable String address);

  /** A parsed document runs and loads nothing. */
  @JSBody(
      params = "html",
      script = "return new DOMParser().parseFromString(html, 'text/html').body;")
  private static native HTMLElement inertBody(String html);
}
