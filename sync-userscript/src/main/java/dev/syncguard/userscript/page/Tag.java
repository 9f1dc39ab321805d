package dev.syncguard.userscript.page;

import org.teavm.jso.dom.events.Event;
import org.teavm.jso.dom.events.EventListener;
import org.teavm.jso.dom.html.HTMLDocument;
import org.teavm.jso.dom.html.HTMLElement;

/** An element under construction. Text is always text: nothing that came from outside becomes markup here. */
final class Tag {

  private final HTMLElement element;

  private Tag(String name) {
    this.element = HTMLDocument.current().createElement(name);
  }

  static Tag of(String name) {
    return new Tag(name);
  }

  static Tag of(String name, String classes) {
    return new Tag(name).with("class", classes);
  }

  Tag id(String id) {
    return with("id", id);
  }

  Tag with(String attribute, String value) {
    element.setAttribute(attribute, value);
    return this;
  }

  Tag text(String text) {
    element.appendChild(HTMLDocument.current().createTextNode(text));
    return this;
  }

  Tag add(Tag... children) {
    for (Tag child : children) {
      element.appendChild(child.element);
    }
    return this;
  }

  Tag add(HTMLElement child) {
    element.appendChild(child);
    return this;
  }

  Tag on(String event, EventListener<Event> listener) {
    element.addEventListener(event, listener);
    return this;
  }

  /** Returns a button that says {@code text} and does {@code action}. */
  static Tag button(String id, String text, Runnable action) {
    return of("button").id(id).with("type", "button").text(text).on("click", event -> action.run());
  }

  /** Returns a link. */
  static Tag link(String address, String text) {
    return of("a").with("href", address).text(text);
  }

  HTMLElement element() {
    return element;
  }
}
