package dev.syncguard.userscript.build;

/** The lines before the compiled code: what the userscript manager reads, and the settings of this build. */
record ScriptHeader(String version, String project, String apiKey, String endpoint, String css) {

  String text() {
    return """
        // ==UserScript==
        // @name         Power Reader
        // @namespace    https://syncguard.dev/power-reader
        // @version      %s
        // @description  Reads a forum from newest to oldest, and keeps your place on all of your devices.
        // @license      Apache-2.0
        // @match        https://www.lesswrong.com/*
        // @match        https://forum.effectivealtruism.org/*
        // @run-at       document-start
        // @noframes
        // @grant        GM_getValue
        // @grant        GM_setValue
        // @grant        GM_deleteValue
        // @grant        GM_addValueChangeListener
        // @grant        GM_xmlhttpRequest
        // @connect      firestore.googleapis.com
        // ==/UserScript==
        (() => {
        const POWER_READER_VERSION = %s;
        const POWER_READER_PROJECT = %s;
        const POWER_READER_API_KEY = %s;
        const POWER_READER_ENDPOINT = %s;
        // lw, eaf, or empty: the host name decides.
        const POWER_READER_SITE = "";
        const POWER_READER_CSS = %s;
        """.formatted(
            version.replace("-SNAPSHOT", ""),
            literal(version.replace("-SNAPSHOT", "")),
            literal(project),
            literal(apiKey),
            literal(endpoint),
            literal(small(css)));
  }

  private static String small(String css) {
    return css.replaceAll("(?s)/\\*.*?\\*/", "")
        .replaceAll("\\s+", " ")
        .replaceAll(" ?([{};,]) ?", "$1");
  }

  private static String literal(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"';
  }
}
