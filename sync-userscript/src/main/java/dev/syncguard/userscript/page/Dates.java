package dev.syncguard.userscript.page;

import org.teavm.jso.JSBody;
import org.teavm.jso.JSObject;

/** Dates as the browser writes and reads them. */
final class Dates {

  // Making a format costs a hundred times what using it does.
  private static final Format SHOWN = format();

  private Dates() {}

  /** Returns the milliseconds of an ISO date-time, or -1 when it is none. */
  static long millis(String iso) {
    double millis = parse(iso);
    return Double.isNaN(millis) ? -1 : (long) millis;
  }

  static String iso(long millis) {
    return toIso((double) millis);
  }

  /** Returns the moment at which a day, as a date input gives it, begins where the reader is. */
  static String localMidnight(String day) {
    return toIso(parse(day + "T00:00:00"));
  }

  /** Returns the day where the reader is, as a date input takes it. */
  static String localDay(long millis) {
    return day((double) millis);
  }

  /** Returns date and time in the reader's language. */
  static String shown(long millis) {
    return SHOWN.format((double) millis);
  }

  @JSBody(params = "iso", script = "return Date.parse(iso);")
  private static native double parse(String iso);

  @JSBody(params = "millis", script = "return new Date(millis).toISOString();")
  private static native String toIso(double millis);

  // Swedish dates are ISO dates.
  @JSBody(params = "millis", script = "return new Date(millis).toLocaleDateString('sv');")
  private static native String day(double millis);

  /** A format of the browser. */
  private interface Format extends JSObject {
    String format(double millis);
  }

  @JSBody(
      script = "return new Intl.DateTimeFormat(undefined, {dateStyle: 'medium', timeStyle:"
          + " 'short'});")
  private static native Format format();
}
