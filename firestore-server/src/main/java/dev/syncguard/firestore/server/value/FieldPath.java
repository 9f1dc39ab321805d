package dev.syncguard.firestore.server.value;

import dev.syncguard.firestore.server.FirestoreServerException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The way to a field: one or more names, each leading one map deeper. */
public record FieldPath(List<String> segments) implements Comparable<FieldPath> {
  /** The path of the document's own name, which is no field but may be filtered and ordered by. */
  public static final FieldPath NAME = new FieldPath(List.of("__name__"));

  private static final int MAX_BYTES = 1500;

  public FieldPath {
    segments = List.copyOf(segments);
    if (segments.isEmpty()) {
      throw new IllegalArgumentException("A field path has at least one segment");
    }
  }

  /** Returns the path written as dotted names, with backticks around every name that is not a simple one. */
  public static FieldPath parse(String text) {
    if (text.isEmpty()) {
      throw FirestoreServerException.invalid("Invalid empty property path string.");
    }
    if (Utf8Order.size(text) > MAX_BYTES) {
      throw FirestoreServerException.invalid("Field path is longer than " + MAX_BYTES + " bytes.");
    }
    return text.equals("__name__") ? NAME : new FieldPath(new FieldPathParser(text).segments());
  }

  /** Returns the path to one name at the top of a document. */
  public static FieldPath of(String name) {
    return new FieldPath(List.of(name));
  }

  /** Returns the path one level below this one. */
  public FieldPath child(String name) {
    List<String> longer = new ArrayList<>(segments);
    longer.add(name);
    return new FieldPath(longer);
  }

  /** Returns the path one level above this one, which must not be a name at the top. */
  public FieldPath parent() {
    return new FieldPath(segments.subList(0, segments.size() - 1));
  }

  /** Returns whether this is {@code __name__}, the document's own name. */
  public boolean isName() {
    return equals(NAME);
  }

  /** Returns whether clients cannot choose this name for a field. */
  public boolean isReserved() {
    return segments.stream()
        .anyMatch(name -> name.length() >= 4 && name.startsWith("__") && name.endsWith("__"));
  }

  /** Returns whether the other path is this one or lies below it. */
  public boolean isPrefixOf(FieldPath other) {
    return other.segments.size() >= segments.size()
        && other.segments.subList(0, segments.size()).equals(segments);
  }

  /** Returns the written form, quoted where it must be. */
  public String canonical() {
    return segments.size() == 1
        ? FieldPathParser.quote(segments.get(0))
        : segments.stream().map(FieldPathParser::quote).collect(Collectors.joining("."));
  }

  @Override
  public int compareTo(FieldPath other) {
    int length = Math.min(segments.size(), other.segments.size());
    for (int i = 0; i < length; i++) {
      int bySegment = Utf8Order.compare(segments.get(i), other.segments.get(i));
      if (bySegment != 0) {
        return bySegment;
      }
    }
    return Integer.compare(segments.size(), other.segments.size());
  }

  @Override
  public String toString() {
    return canonical();
  }
}
