package dev.syncguard.firestore.server.store;

import com.google.firestore.v1.Document;
import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Documents in the order of their keys or of an index. A document is read only when it is asked for. Those whose values
 * are longer than what an index holds of them come in the order of what it holds. Not thread-safe.
 */
public final class Scan implements Iterator<Document> {
  /** Where the entries lead: to which path, to which document, and whether their keys hold values before that. */
  record Target(
      BiFunction<byte[], byte[], String> path,
      Predicate<String> visible,
      BiFunction<String, byte[], Document> load,
      boolean hasValues) {}

  private final Entries entries;
  private final Target target;
  private @Nullable String next;
  private byte[] lastKey = Keys.NOTHING;
  private byte[] lastValue = Keys.NOTHING;

  Scan(Entries entries, Target target) {
    this.entries = entries;
    this.target = target;
  }

  @Override
  public boolean hasNext() {
    while (next == null && !entries.isOver()) {
      String path = target.path().apply(entries.key(), entries.value());
      if (target.visible().test(path)) {
        next = path; // and the entries stay there
      } else {
        entries.advance();
      }
    }
    return next != null;
  }

  @Override
  public Document next() {
    if (!hasNext() || next == null) {
      throw new NoSuchElementException();
    }
    Document document = target.load().apply(next, entries.value());
    skip();
    return document;
  }

  /** Goes on without reading the document; there must be one. */
  public void skip() {
    lastKey = entries.key();
    lastValue = entries.value();
    next = null;
    entries.advance();
  }

  /** Returns whether the next document has the same values as the one before, as far as the index holds them. */
  public boolean hasNextAlike() {
    return target.hasValues()
        && hasNext()
        && IndexPlace.place(lastValue) == IndexPlace.place(entries.value())
        && Arrays.equals(
            lastKey, 0, IndexPlace.place(lastValue), entries.key(), 0, IndexPlace.place(lastValue));
  }

  /** Returns whether the document before has more of its values than the index holds. */
  public boolean wasCut() {
    return target.hasValues() && IndexPlace.isCut(lastValue);
  }
}
