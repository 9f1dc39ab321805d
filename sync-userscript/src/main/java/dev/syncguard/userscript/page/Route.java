package dev.syncguard.userscript.page;

import org.teavm.jso.JSBody;
import org.teavm.jso.browser.Location;

/** What the address asks for. */
enum Route {
  /** The reader. */
  READER,
  /** Emptying the reader's state everywhere. */
  RESET,
  /** All that one user wrote, without sync. */
  ARCHIVE,
  /** Any other page of the forum. */
  ELSEWHERE;

  static Route of(Location location) {
    String path = location.getPathName();
    if (path.equals("/reader/reset") || path.equals("/reader/reset/")) {
      return RESET;
    }
    if (path.equals("/archive")) {
      return parameter(location.getSearch(), "username").isEmpty() ? READER : ARCHIVE;
    }
    return path.equals("/reader") || path.startsWith("/reader/") ? READER : ELSEWHERE;
  }

  @JSBody(
      params = {"search", "name"},
      script = "return new URLSearchParams(search).get(name) || '';")
  static native String parameter(String search, String name);
}
