package dev.syncguard.userscript.build;

import java.util.Map;

/**
 * The lines before the compiled code: what the userscript manager reads, and the settings of this build.
 *
 * @param settings by name: {@code project}, {@code apiKey}, {@code endpoint}, {@code downloadUrl}, {@code updateUrl},
 *     {@code supportUrl}, {@code icon}; what is empty is left out
 */
record ScriptHeader(String version, Map<String, String> settings, String css) {

  /** Returns what a userscript manager reads, which is all of the file that it checks for updates. */
  String metadata() {
    return """
        // ==UserScript==
        // @name         Power Reader
        // @namespace    https://syncguard.dev/power-reader
        // @version      %s
        // @description  Reads a forum from newest to oldest, and keeps your place on all of your devices.
        // @license      Apache-2.0
        %s// @match        https://www.lesswrong.com/*
        // @match        https://forum.effectivealtruism.org/*
        // @run-at       document-start
        // @noframes
        // @grant        GM_getValue
        // @grant        GM_setValue
        // @grant        GM_deleteValue
        // @grant        GM_addValueChangeListener
        // @grant        GM_xmlhttpRequest
        // @connect      %s
        // ==/UserScript==
        """.formatted(
            number(), addresses(), java.net.URI.create(setting("endpoint")).getHost());
  }

  String text() {
    return metadata()
        + """
        (() => {
        const POWER_READER_VERSION = %s;
        const POWER_READER_PROJECT = %s;
        const POWER_READER_API_KEY = %s;
        const POWER_READER_ENDPOINT = %s;
        // lw, eaf, or empty: the host name decides.
        const POWER_READER_SITE = "";
        const POWER_READER_CSS = %s;
        """.formatted(
                literal(number()),
                literal(setting("project")),
                literal(setting("apiKey")),
                literal(setting("endpoint")),
                literal(small(css)));
  }

  private String number() {
    return version.replace("-SNAPSHOT", "");
  }

  /** Managers ask the address for updates often, so by default it is the small file beside the script. */
  private String addresses() {
    String download = setting("downloadUrl");
    String update = setting("updateUrl");
    return line("icon", setting("icon"))
        + line("supportURL", setting("supportUrl"))
        + line("downloadURL", download)
        + line(
            "updateURL",
            update.isEmpty() ? download.replaceAll("\\.user\\.js$", ".meta.js") : update);
  }

  private static String line(String key, String value) {
    if (value.indexOf('\n') >= 0) {
      throw new IllegalArgumentException("@" + key + " must be one line");
    }
    return value.isEmpty() ? "" : "// @%-12s %s\n".formatted(key, value);
  }

  private String setting(String name) {
    return settings.getOrDefault(name, "");
  }

  private static String small(String css) {
    return css.replaceAll("(?s)/\\*.*?\\*/", "")
        .replaceAll("\\s+", " ")
        .replaceAll(" ?([{};,>]) ?", "$1")
        .replace(": ", ":")
        .replace(";}", "}");
  }

  private static String literal(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"';
  }
}
