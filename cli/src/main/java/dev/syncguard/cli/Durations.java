package dev.syncguard.cli;

import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads durations as people write them ({@code 500ms}, {@code 1h30m}, {@code PT5M}) and writes them back. */
final class Durations implements ITypeConverter<Duration> {

  private static final Pattern PARTS = Pattern.compile("(?:[0-9]{1,9}(?:ms|s|m|h|d))+");
  private static final Pattern PART = Pattern.compile("([0-9]+)(ms|s|m|h|d)");

  @Override
  public Duration convert(String text) {
    return parse(text);
  }

  static Duration parse(String text) {
    if (PARTS.matcher(text).matches()) {
      Duration sum = Duration.ZERO;
      for (Matcher part = PART.matcher(text); part.find(); ) {
        sum = sum.plus(Duration.of(Long.parseLong(part.group(1)), unit(part.group(2))));
      }
      return sum;
    }
    try {
      Duration iso = Duration.parse(text);
      if (!iso.isNegative()) {
        return iso;
      }
    } catch (DateTimeParseException e) {
      // Not ISO-8601 either.
    }
    throw new TypeConversionException(
        "is not a duration; write for example 500ms, 30s, 5m, 1h30m or PT5M");
  }

  private static ChronoUnit unit(String name) {
    return switch (name) {
      case "ms" -> ChronoUnit.MILLIS;
      case "s" -> ChronoUnit.SECONDS;
      case "m" -> ChronoUnit.MINUTES;
      case "h" -> ChronoUnit.HOURS;
      default -> ChronoUnit.DAYS;
    };
  }

  /** Returns the two largest units of a duration, such as {@code 1h 30m}; tenths below ten seconds. */
  static String text(Duration duration) {
    long millis = Math.max(0, duration.toMillis());
    long seconds = millis / 1000;
    if (seconds < 10) {
      return seconds + "." + millis % 1000 / 100 + "s";
    }
    if (seconds < 60) {
      return seconds + "s";
    }
    if (seconds < 3600) {
      return seconds / 60 + "m " + seconds % 60 + "s";
    }
    if (seconds < 86_400) {
      return seconds / 3600 + "h " + seconds % 3600 / 60 + "m";
    }
    return seconds / 86_400 + "d " + seconds % 86_400 / 3600 + "h";
  }
}
