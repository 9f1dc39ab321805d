package dev.syncguard.lock.micrometer;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** What Prometheus gets to read, and what expressions ask of it. */
final class Scrape {

  private static final Pattern SAMPLE = Pattern.compile("(?m)^(\\w+)(?:\\{(.*)})? \\S+$");
  private static final Pattern LABEL = Pattern.compile("(\\w+)=\"(?:\\\\.|[^\"\\\\])*\"");
  private static final Pattern SELECTOR = Pattern.compile("(syncguard_\\w+)(?:\\{([^}]*)})?");
  private static final Pattern MATCHER = Pattern.compile("(\\w+)\\s*(?:=~|!~|!=|=)");
  private static final Pattern GROUPING = Pattern.compile("\\bby\\s*\\(([^)]*)\\)");

  /** What Prometheus itself adds. */
  private static final Set<String> OF_PROMETHEUS = Set.of("instance", "job");

  private final Map<String, Set<String>> labels = new TreeMap<>();

  Scrape(String text) {
    SAMPLE.matcher(text).results().forEach(sample -> {
      Set<String> seen = labels.computeIfAbsent(sample.group(1), name -> new TreeSet<>());
      if (sample.group(2) != null) {
        LABEL.matcher(sample.group(2)).results().forEach(label -> seen.add(label.group(1)));
      }
    });
  }

  /** Returns which metrics and labels an expression names that are not there. */
  Set<String> missing(String expression) {
    Set<String> missing = new TreeSet<>();
    SELECTOR.matcher(expression).results().forEach(selector -> {
      Set<String> known = labels.get(selector.group(1));
      if (known == null) {
        missing.add(selector.group(1));
        return;
      }
      Set<String> wanted = new TreeSet<>();
      if (selector.group(2) != null) {
        MATCHER.matcher(selector.group(2)).results().forEach(found -> wanted.add(found.group(1)));
      }
      GROUPING
          .matcher(expression)
          .results()
          .forEach(by -> wanted.addAll(Set.of(by.group(1).strip().split("\\s*,\\s*"))));
      wanted.removeAll(known);
      wanted.removeAll(OF_PROMETHEUS);
      wanted.forEach(label -> missing.add(selector.group(1) + "." + label));
    });
    return missing;
  }

  /** Returns the names of all metrics, and those of a histogram as one. */
  Set<String> names() {
    Set<String> names = new TreeSet<>();
    labels.keySet().forEach(name -> names.add(name.replaceFirst("_(bucket|count|sum|max)$", "")));
    return names;
  }
}
