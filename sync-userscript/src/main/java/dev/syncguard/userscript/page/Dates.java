package dev.syncguard.userscript.page;

import org.teavm.jso.JSBody;

/** Dates as the browser writes and reads them. */
final class Dates {

  private Dates() {}

  /** Returns the milliseconds of an ISO date-time, or -1 when it is none. */
  static long millis(String iso) {
    double millis = parse(iso);
    return Double.isNaN(millis) ? -1 : (long) millis;
  }

  static String iso(long millis) {
    return toIso((double) millis);
  }

  /** Returns the moment at which a day, as a date input gives it, begins where the reader is, whatever its year. */
  static String localMidnight(String day) {
    return toIso(midnight(day));
  }

  /** Returns the day where the reader is, as a date input takes it. */
  static String localDay(long millis) {
    return day((double) millis);
  }

  /** Returns date and time where the reader is, in words that no country reads in another order. */
  static String shown(long millis) {
    return words((double) millis);
  }

  @JSBody(params = "iso", script = "return Date.parse(iso);")
  private static native double parse(String iso);

  // Date.parse takes no year of five digits, and a date input does.
  @JSBody(
      params = "day",
      script = "var p = day.split('-'); var d = new Date(2000, 0, 1);"
          + " d.setFullYear(p[0], p[1] - 1, p[2]); return d.getTime();")
  private static native double midnight(String day);

  @JSBody(params = "millis", script = "return new Date(millis).toISOString();")
  private static native String toIso(double millis);

  @JSBody(
      params = "millis",
      script = "var d = new Date(millis); function two(n) { return ('0' + n).slice(-2); } return"
          + " d.getFullYear() + '-' + two(d.getMonth() + 1) + '-' + two(d.getDate());")
  private static native String day(double millis);

  // Written out, because the first use of the browser's own formats takes longer than the rest of
  // the page.
  @JSBody(
      params = "millis",
      script = "var d = new Date(millis); function two(n) { return ('0' + n).slice(-2); } return"
          + " d.getDate() + ' ' + 'JanFebMarAprMayJunJulAugSepOctNovDec'.substr(d.getMonth() * 3, 3)"
          + " + ' ' + d.getFullYear() + ', ' + two(d.getHours()) + ':' + two(d.getMinutes());")
  private static native String words(double millis);
}
