package dev.syncguard.lock.testkit.source;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Finds places where a backend compares an expiry by itself instead of asking {@code Liveness}.
 *
 * <p>It reads Java, Kotlin, SQL and Lua sources. Comments do not count, texts inside Java and Kotlin do, because that is where SQL and Lua
 * often live. The code is cut into conditions; one that mentions an expiry and contains an order comparison is a finding.
 * Sorting by expiry and comparing for equality are fine: neither decides about life.
 */
public final class LivenessSourceCheck {

  private static final Pattern EXPIRY = Pattern.compile("(?i)expir");
  private static final Pattern SQL_OR_LUA_COMMENT =
      Pattern.compile("(?s)--\\[\\[.*?]]|/\\*.*?\\*/|--[^\\n]*");
  private static final Pattern JAVA_TEXT_OR_COMMENT = Pattern.compile(
      "(?s)(?<text>\"\"\".*?\"\"\"|\"(?:\\\\.|[^\"\\\\\n])*\")|'(?:\\\\.|[^'])'|/\\*.*?\\*/|//[^\\n]*");

  /** What can stand between two texts that make one. */
  private static final Pattern NOT_ONE_EXPRESSION = Pattern.compile("[;,={}]");

  /** Where one condition ends and the next begins. */
  private static final Pattern BETWEEN_CONDITIONS = Pattern.compile(
      "&&|\\|\\||[;{}?,]|->|(?i)\\b(?:and|or|where|when|then|else|set|on|select|from|if|return|do)\\b");

  /** In Java our formatter puts spaces around operators, but not around type parameters. */
  private static final Pattern JAVA_ORDER = Pattern.compile(
      "\\s[<>]=?\\s|\\.(?:compareTo|isBefore|isAfter|isNegative|isPositive|isZero)\\(|\\bcompare\\(");

  /** Kotlin ends a statement with its line, unless the next one goes on with an operator. */
  private static final Pattern END_OF_KOTLIN_STATEMENT =
      Pattern.compile("\\n(?!\\s*(?:[<>.&|?:]|in\\b))");

  private static final Pattern STORE_ORDER =
      Pattern.compile("(?i)(?<![-<=>])[<>]=?(?![<>])|\\bbetween\\b");

  private LivenessSourceCheck() {}

  /**
   * One comparison that should not be there.
   *
   * @param file where it is
   * @param condition the text of it
   */
  public record Finding(Path file, String condition) {}

  /** Returns what is wrong in all sources below a directory; fails if there are none. */
  public static List<Finding> check(Path directory) throws IOException {
    List<Path> sources;
    try (Stream<Path> files = Files.walk(directory)) {
      sources = files.filter(LivenessSourceCheck::isSource).toList();
    }
    if (sources.isEmpty()) {
      throw new IllegalArgumentException(
          "There are no sources below " + directory.toAbsolutePath());
    }
    List<Finding> findings = new ArrayList<>();
    for (Path file : sources) {
      for (String condition : suspicious(file.toString(), Files.readString(file))) {
        findings.add(new Finding(file, condition));
      }
    }
    return findings;
  }

  private static boolean isSource(Path file) {
    String name = file.toString();
    return isJavaOrKotlin(name) || name.endsWith(".sql") || name.endsWith(".lua");
  }

  /** Their texts and comments look alike. */
  private static boolean isJavaOrKotlin(String name) {
    return name.endsWith(".java") || name.endsWith(".kt");
  }

  static List<String> suspicious(String fileName, String source) {
    if (!isJavaOrKotlin(fileName)) {
      return conditions(SQL_OR_LUA_COMMENT.matcher(source).replaceAll(" "), STORE_ORDER);
    }
    StringBuilder code = new StringBuilder();
    StringBuilder texts = new StringBuilder();
    Matcher matcher = JAVA_TEXT_OR_COMMENT.matcher(source);
    int end = 0;
    while (matcher.find()) {
      String between = source.substring(end, matcher.start());
      code.append(between).append(' ');
      texts.append(NOT_ONE_EXPRESSION.matcher(between).find() ? ";" : " ");
      String text = matcher.group("text");
      if (text != null) {
        texts.append(text.replace("\"", ""));
      }
      end = matcher.end();
    }
    code.append(source.substring(end));
    String statements = fileName.endsWith(".kt")
        ? END_OF_KOTLIN_STATEMENT.matcher(code).replaceAll(";\n")
        : code.toString();
    return Stream.concat(
            conditions(texts.toString(), STORE_ORDER).stream(),
            conditions(statements, JAVA_ORDER).stream())
        .toList();
  }

  private static List<String> conditions(String code, Pattern order) {
    return BETWEEN_CONDITIONS
        .splitAsStream(code)
        .filter(condition -> EXPIRY.matcher(condition).find())
        .filter(condition -> order.matcher(condition).find())
        .map(condition -> condition.strip().replaceAll("\\s+", " "))
        .toList();
  }
}
