package dev.syncguard.firestore.server.store;

import java.util.AbstractCollection;
import java.util.Collection;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** The leading collections of a sorted view whose path starts with a prefix. */
final class PrefixView extends AbstractCollection<StoredCollection> {
  private final Collection<StoredCollection> sorted;
  private final String prefix;

  PrefixView(Collection<StoredCollection> sorted, String prefix) {
    this.sorted = sorted;
    this.prefix = prefix;
  }

  @Override
  public Iterator<StoredCollection> iterator() {
    Iterator<StoredCollection> all = sorted.iterator();
    return new Iterator<>() {
      private @Nullable StoredCollection next = advance();

      private @Nullable StoredCollection advance() {
        StoredCollection candidate = all.hasNext() ? all.next() : null;
        return candidate != null && candidate.path.startsWith(prefix) ? candidate : null;
      }

      @Override
      public boolean hasNext() {
        return next != null;
      }

      @Override
      public StoredCollection next() {
        StoredCollection current = next;
        if (current == null) {
          throw new NoSuchElementException();
        }
        next = advance();
        return current;
      }
    };
  }

  @Override
  public int size() {
    int size = 0;
    for (StoredCollection ignored : this) {
      size++;
    }
    return size;
  }
}
