package dev.syncguard.sync.text;

/**
 * Moments as text, in the form that Firestore and browsers write: {@code 2026-02-25T12:00:00.000Z}.
 *
 * <p>Written by hand, because the formatters of {@code java.time} would double the size of the compiled script.
 */
public final class Iso {

  /** What {@link #micros} returns for text that names no moment; it sorts before all others. */
  public static final long NONE = Long.MIN_VALUE;

  private static final long LONGEST = 40;
  private static final long DAY_SECONDS = 86_400;

  private final String text;
  private int at;
  private boolean ok = true;

  private Iso(String text) {
    this.text = text;
  }

  /** Returns the microseconds since 1970 at the moment that {@code text} names with its zone, or {@link #NONE}. */
  public static long micros(String text) {
    return text.length() > LONGEST ? NONE : new Iso(text).moment();
  }

  /** Returns whether {@code text} names a moment. */
  public static boolean isMoment(String text) {
    return micros(text) != NONE;
  }

  /** Returns the milliseconds since 1970 at the moment that {@code text} names, or {@link #NONE}. */
  public static long millis(String text) {
    long micros = micros(text);
    return micros == NONE ? NONE : Math.floorDiv(micros, 1_000L);
  }

  /** Returns the text for a moment in the years 1970 to 9999, held to those years. */
  public static String text(long epochMillis) {
    long millis = Math.min(Math.max(epochMillis, 0), 253_402_300_799_999L);
    long seconds = millis / 1000;
    int[] date = date(seconds / DAY_SECONDS);
    int time = (int) (seconds % DAY_SECONDS);
    StringBuilder out = new StringBuilder(24);
    pad(out, date[0], 4).append('-');
    pad(out, date[1], 2).append('-');
    pad(out, date[2], 2).append('T');
    pad(out, time / 3600, 2).append(':');
    pad(out, time / 60 % 60, 2).append(':');
    pad(out, time % 60, 2).append('.');
    return pad(out, (int) (millis % 1000), 3).append('Z').toString();
  }

  /** Returns the day in UTC: {@code 2026-02-25}. */
  public static String day(long epochMillis) {
    return text(epochMillis).substring(0, 10);
  }

  /** Returns the moment of an HTTP {@code Date} header, {@code Sun, 06 Nov 1994 08:49:37 GMT}, or {@link #NONE}. */
  public static long httpDateMillis(String header) {
    if (header.length() != 29 || !header.endsWith(" GMT")) {
      return NONE;
    }
    int month = "JanFebMarAprMayJunJulAugSepOctNovDec".indexOf(header.substring(8, 11));
    if (month < 0 || month % 3 != 0) {
      return NONE;
    }
    StringBuilder iso = new StringBuilder(header.substring(12, 16)).append('-');
    pad(iso, month / 3 + 1, 2).append('-').append(header, 5, 7);
    return millis(iso.append('T').append(header, 17, 25).append('Z').toString());
  }

  private long moment() {
    int year = number(4);
    mark('-');
    int month = number(2);
    mark('-');
    int day = number(2);
    mark('T');
    int hour = number(2);
    mark(':');
    int minute = number(2);
    int second = 0;
    int micros = 0;
    if (next(':')) {
      second = number(2);
      micros = next('.') ? fraction() : 0;
    }
    int offset = zoneMinutes();
    ok &= at == text.length();
    ok &= month >= 1 && month <= 12 && day >= 1 && day <= lengthOfMonth(year, month);
    ok &= hour <= 23 && minute <= 59 && second <= 59;
    if (!ok) {
      return NONE;
    }
    long minutes = (daysUntil(year, month, day) * 24 + hour) * 60 + minute - offset;
    return (minutes * 60 + second) * 1_000_000 + micros;
  }

  private int number(int digits) {
    int value = 0;
    for (int i = 0; i < digits; i++) {
      int digit = at < text.length() ? text.charAt(at++) - '0' : -1;
      ok &= digit >= 0 && digit <= 9;
      value = value * 10 + digit;
    }
    return value;
  }

  private void mark(char expected) {
    ok &= next(expected);
  }

  private boolean next(char expected) {
    boolean there = at < text.length() && text.charAt(at) == expected;
    at += there ? 1 : 0;
    return there;
  }

  private int fraction() {
    int start = at;
    int micros = 0;
    while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
      micros = at - start < 6 ? micros * 10 + (text.charAt(at) - '0') : micros;
      at++;
    }
    int digits = at - start;
    ok &= digits >= 1 && digits <= 9;
    for (int i = digits; i < 6; i++) {
      micros *= 10;
    }
    return micros;
  }

  private int zoneMinutes() {
    if (next('Z')) {
      return 0;
    }
    int sign = next('+') ? 1 : -1;
    if (sign < 0) {
      mark('-');
    }
    int hours = number(2);
    mark(':');
    int minutes = number(2);
    ok &= hours <= 18 && minutes <= 59;
    return sign * (hours * 60 + minutes);
  }

  private static int lengthOfMonth(int year, int month) {
    if (month == 2) {
      return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28;
    }
    return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
  }

  // Counts years from March, so that the leap day is the last one of its year.
  private static long daysUntil(int year, int month, int day) {
    int marchYear = month > 2 ? year : year - 1;
    int marchMonth = (month + 9) % 12;
    long dayOfYear = (153L * marchMonth + 2) / 5 + day - 1;
    return 365L * marchYear
        + Math.floorDiv(marchYear, 4)
        - Math.floorDiv(marchYear, 100)
        + Math.floorDiv(marchYear, 400)
        + dayOfYear
        - 719_468;
  }

  private static int[] date(long epochDay) {
    long days = epochDay + 719_468;
    long era = days / 146_097;
    long dayOfEra = days % 146_097;
    long yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365;
    long dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100);
    int marchMonth = (int) ((5 * dayOfYear + 2) / 153);
    int day = (int) (dayOfYear - (153L * marchMonth + 2) / 5 + 1);
    int month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
    return new int[] {(int) (yearOfEra + era * 400 + (month <= 2 ? 1 : 0)), month, day};
  }

  private static StringBuilder pad(StringBuilder out, int value, int digits) {
    String number = Integer.toString(value);
    for (int i = number.length(); i < digits; i++) {
      out.append('0');
    }
    return out.append(number);
  }
}
