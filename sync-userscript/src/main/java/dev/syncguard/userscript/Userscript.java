package dev.syncguard.userscript;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The userscript {@code power-reader.user.js} as it was built, and copies of it that talk to another project.
 *
 * <p>Immutable, so threads may share it.
 */
public final class Userscript {

  private final String text;

  private Userscript(String text) {
    this.text = text;
  }

  /** Returns the script as it was built. */
  public static Userscript shipped() {
    return new Userscript(resource("power-reader.user.js"));
  }

  /** Returns the source map of the script. It fits copies too: they have the same lines. */
  public static String sourceMap() {
    return resource("power-reader.user.js.map");
  }

  /** Returns a copy that keeps its documents in another project at another server, which it may connect to. */
  public Userscript talkingTo(String project, String apiKey, String endpoint) {
    String host = java.net.URI.create(endpoint).getHost();
    return with("PROJECT", project)
        .with("API_KEY", apiKey)
        .with("ENDPOINT", endpoint)
        .replaced("(?m)^// @connect .*$", "// @connect      " + host);
  }

  /** Returns a copy that takes every page for one of the given forum: {@code lw} or {@code eaf}. */
  public Userscript on(String site) {
    return with("SITE", site);
  }

  /** Returns what to install in a userscript manager, or to load into a page that has the GM functions. */
  public String text() {
    return text;
  }

  private Userscript with(String setting, String value) {
    if (value.indexOf('"') >= 0 || value.indexOf('\\') >= 0 || value.indexOf('\n') >= 0) {
      throw new IllegalArgumentException(
          setting + " must not hold quotes, backslashes or line breaks");
    }
    return replaced(
        "const POWER_READER_" + setting + " = \"[^\"]*\";",
        "const POWER_READER_" + setting + " = \"" + value + "\";");
  }

  private Userscript replaced(String pattern, String by) {
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    if (!matcher.find()) {
      throw new IllegalStateException("The script has no line like " + pattern);
    }
    return new Userscript(matcher.replaceFirst(Matcher.quoteReplacement(by)));
  }

  private static String resource(String name) {
    try (InputStream in = Userscript.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException(
            name + " is missing; build the module sync-userscript first");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
