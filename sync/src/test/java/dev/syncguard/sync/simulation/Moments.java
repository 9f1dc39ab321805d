package dev.syncguard.sync.simulation;

import com.google.protobuf.Timestamp;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;

/** Reads and writes times as JSON has them. Most have one form, for which {@code java.time} takes ten times as long. */
final class Moments {

  private static final String FORM = "0000-00-00T00:00:00";
  private static final int DAY = 86_400;
  private static final String[] WEEK = {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"};
  private static final String[] YEAR = {
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"
  };

  private Moments() {}

  /** @throws DateTimeParseException if the text names no moment */
  static Timestamp timestamp(String text) {
    int end = text.length() - 1;
    if (!hasForm(text, end)) {
      Instant time = Instant.parse(text);
      return timestamp(time.getEpochSecond(), time.getNano());
    }
    try {
      long day = LocalDate.of(number(text, 0, 4), number(text, 5, 7), number(text, 8, 10))
          .toEpochDay();
      int second = number(text, 11, 13) * 3_600 + number(text, 14, 16) * 60 + number(text, 17, 19);
      int nanos = 0;
      if (end > FORM.length()) {
        nanos = number(text, FORM.length() + 1, end);
        for (int digits = end - FORM.length() - 1; digits < 9; digits++) {
          nanos *= 10;
        }
      }
      return timestamp(day * DAY + second, nanos);
    } catch (DateTimeException e) {
      throw new DateTimeParseException(e.getMessage(), text, 0);
    }
  }

  /** @throws DateTimeParseException if the text names no moment */
  static long millis(String text) {
    Timestamp time = timestamp(text);
    return time.getSeconds() * 1_000 + time.getNanos() / 1_000_000;
  }

  static String text(Timestamp time) {
    int second = (int) Math.floorMod(time.getSeconds(), (long) DAY);
    StringBuilder out = new StringBuilder(30)
        .append(LocalDate.ofEpochDay(Math.floorDiv(time.getSeconds(), (long) DAY)));
    digits(out.append('T'), second / 3_600, 10);
    digits(out.append(':'), second / 60 % 60, 10);
    digits(out.append(':'), second % 60, 10);
    int nanos = time.getNanos();
    if (nanos % 1_000_000 != 0) {
      digits(
          out.append('.'),
          nanos % 1_000 == 0 ? nanos / 1_000 : nanos,
          nanos % 1_000 == 0 ? 100_000 : 100_000_000);
    } else if (nanos != 0) {
      digits(out.append('.'), nanos / 1_000_000, 100);
    }
    return out.append('Z').toString();
  }

  /** Returns a moment as the header of an answer has it. */
  static String httpDate(long second) {
    LocalDate day = LocalDate.ofEpochDay(Math.floorDiv(second, (long) DAY));
    String time = text(Timestamp.newBuilder().setSeconds(second).build());
    StringBuilder out = new StringBuilder(30).append(WEEK[day.getDayOfWeek().getValue() - 1]);
    digits(out.append(", "), day.getDayOfMonth(), 10);
    out.append(' ').append(YEAR[day.getMonthValue() - 1]).append(' ').append(day.getYear());
    return out.append(' ')
        .append(time, time.length() - 9, time.length() - 1)
        .append(" GMT")
        .toString();
  }

  private static void digits(StringBuilder out, int number, int first) {
    for (int place = first; place > 0; place /= 10) {
      out.append((char) ('0' + number / place % 10));
    }
  }

  private static boolean hasForm(String text, int end) {
    boolean fraction = end > FORM.length() + 1 && end <= FORM.length() + 10;
    if (!(end == FORM.length() || fraction) || text.charAt(end) != 'Z') {
      return false;
    }
    for (int i = 0; i < end; i++) {
      char wanted = i < FORM.length() ? FORM.charAt(i) : i == FORM.length() ? '.' : '0';
      char c = text.charAt(i);
      if (wanted == '0' ? c < '0' || c > '9' : c != wanted) {
        return false;
      }
    }
    // What a clock never shows, the library may judge.
    return number(text, 11, 13) < 24 && number(text, 14, 16) < 60 && number(text, 17, 19) < 60;
  }

  private static int number(String text, int from, int to) {
    int number = 0;
    for (int i = from; i < to; i++) {
      number = number * 10 + text.charAt(i) - '0';
    }
    return number;
  }

  private static Timestamp timestamp(long seconds, int nanos) {
    return Timestamp.newBuilder().setSeconds(seconds).setNanos(nanos).build();
  }
}
