package dev.syncguard.firestore.server.export;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Ids like {@code __id7__}, which exports keep as numbers. */
final class NumericId {
  private static final Pattern FORM = Pattern.compile("__id(-?[0-9]{1,19})__");

  private NumericId() {}

  /** Returns the number of an id, unless it could not be told from that of another: 7 and 007 are two documents. */
  static Optional<Long> parse(String id) {
    Matcher form = FORM.matcher(id);
    if (!form.matches()) {
      return Optional.empty();
    }
    try {
      return Optional.of(Long.valueOf(form.group(1)))
          .filter(number -> text(number).equals(id));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  static String text(long number) {
    return "__id" + number + "__";
  }
}
