package dev.syncguard.firestore.server.value;

import java.util.Comparator;

/**
 * The order of document and collection paths, segment by segment. Numeric ids ({@code __id7__}) come before all others
 * and compare as numbers.
 */
public final class PathOrder implements Comparator<String> {
  /** The one order there is. */
  public static final PathOrder INSTANCE = new PathOrder();

  private static final String NUMERIC_PREFIX = "__id";
  private static final String NUMERIC_SUFFIX = "__";

  private PathOrder() {}

  @Override
  public int compare(String a, String b) {
    return comparePaths(a, b);
  }

  /** Compares two slash-separated paths; a path comes directly before everything below it. */
  public static int comparePaths(String a, String b) {
    int i = 0;
    int j = 0;
    while (i < a.length() && j < b.length()) {
      int endA = segmentEnd(a, i);
      int endB = segmentEnd(b, j);
      if (endA - i != endB - j || !a.regionMatches(i, b, j, endA - i)) {
        int bySegment = compareIds(a.substring(i, endA), b.substring(j, endB));
        if (bySegment != 0) {
          return bySegment;
        }
      }
      i = endA + 1;
      j = endB + 1;
    }
    return Boolean.compare(i < a.length(), j < b.length());
  }

  /** Compares two ids of one collection. */
  public static int compareIds(String a, String b) {
    boolean numericA = isNumeric(a);
    boolean numericB = isNumeric(b);
    if (numericA != numericB) {
      return numericA ? -1 : 1;
    }
    int byNumber = numericA ? Long.compare(number(a), number(b)) : 0;
    // Two ids may be one number, with a zero in front of it, but they are still two ids.
    return byNumber != 0 ? byNumber : Utf8Order.compare(a, b);
  }

  /** Returns whether the id is one of the numeric kind, {@code __id<long>__}. */
  public static boolean isNumeric(String id) {
    if (!id.startsWith(NUMERIC_PREFIX)
        || !id.endsWith(NUMERIC_SUFFIX)
        || id.length() <= 6
        || id.length() > 26) {
      return false;
    }
    try {
      number(id);
      return true;
    } catch (NumberFormatException e) {
      return false;
    }
  }

  /** Returns the number of a numeric id. */
  public static long number(String id) {
    return Long.parseLong(id, 4, id.length() - 2, 10);
  }

  private static int segmentEnd(String path, int from) {
    int slash = path.indexOf('/', from);
    return slash < 0 ? path.length() : slash;
  }
}
