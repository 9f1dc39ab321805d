package dev.syncguard.console;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The files of the page, which are the same for everybody and hold no secret. Immutable. */
final class Assets {

  static final List<String> NAMES = List.of(
      "index.html",
      "style.css",
      "icon.svg",
      "app.js",
      "api.js",
      "dom.js",
      "format.js",
      "rows.js",
      "locks.js",
      "lock-detail.js",
      "timeline.js",
      "waits.js",
      "times.js",
      "live.js",
      "changes.js",
      "firestore.js",
      "values.js",
      "data.js",
      "query.js",
      "requests.js",
      "rules.js",
      "activity.js",
      "tools.js");

  private static final Map<String, String> TYPES = Map.of(
      "html", "text/html; charset=utf-8",
      "js", "text/javascript; charset=utf-8",
      "css", "text/css; charset=utf-8",
      "svg", "image/svg+xml");

  private final Map<String, ConsoleResponse> byPath =
      NAMES.stream().collect(Collectors.toMap(Assets::path, Assets::load));

  static boolean isPath(String path) {
    return path.equals("/") || path.startsWith("/page/");
  }

  Optional<ConsoleResponse> find(String path) {
    return Optional.ofNullable(byPath.get(path));
  }

  private static String path(String name) {
    return name.equals("index.html") ? "/" : "/page/" + name;
  }

  private static ConsoleResponse load(String name) {
    String type = TYPES.getOrDefault(name.substring(name.lastIndexOf('.') + 1), "");
    try (InputStream in = Assets.class.getResourceAsStream("page/" + name)) {
      if (in == null) {
        throw new IllegalStateException("The console lacks its file " + name);
      }
      return ConsoleResponse.of(200, type, in.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
