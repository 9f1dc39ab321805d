package dev.syncguard.userscript.browser;

import org.jspecify.annotations.Nullable;
import org.teavm.jso.JSBody;
import org.teavm.jso.JSFunctor;
import org.teavm.jso.JSObject;

/** The functions of the userscript manager, as they are. */
final class Gm {

  private Gm() {}

  /** Hears about an answer. */
  @JSFunctor
  interface Answered extends JSObject {
    void answered(int status, String body, String headers);
  }

  /** Hears that there will be no answer. */
  @JSFunctor
  interface Failed extends JSObject {
    void failed();
  }

  /** Hears that a value changed. */
  @JSFunctor
  interface Changed extends JSObject {
    void changed(boolean byAnotherTab);
  }

  @JSBody(
      params = {"method", "url", "body", "timeout", "answered", "failed", "timedOut"},
      script =
          "GM_xmlhttpRequest({method: method, url: url, data: body === null ? undefined : body,"
              + " timeout: timeout, anonymous: true, headers: body === null ? {} :"
              + " {'Content-Type': 'application/json'}, onload: function(r) { answered(r.status,"
              + " r.responseText || '', r.responseHeaders || ''); }, onerror: function() {"
              + " failed(); }, onabort: function() { failed(); }, ontimeout: function() {"
              + " timedOut(); }});")
  static native void send(
      String method,
      String url,
      @Nullable String body,
      double timeout,
      Answered answered,
      Failed failed,
      Failed timedOut);

  /** Other versions of the script stored some flags as booleans, so everything is read as text. */
  @JSBody(
      params = "key",
      script = "var v = GM_getValue(key, null); return v === null || v === undefined ? null :"
          + " String(v);")
  static native @Nullable String get(String key);

  @JSBody(
      params = {"key", "value"},
      script = "GM_setValue(key, value);")
  static native void set(String key, String value);

  @JSBody(params = "key", script = "GM_deleteValue(key);")
  static native void remove(String key);

  @JSBody(
      params = {"key", "changed"},
      script = "if (typeof GM_addValueChangeListener === 'function') GM_addValueChangeListener(key,"
          + " function(k, before, now, remote) { changed(!!remote); });")
  static native void listen(String key, Changed changed);
}
