package dev.syncguard.firestore.server.operation;

import java.util.Iterator;
import java.util.List;

/** The messages of an answer, which are made one at a time. Whoever does not take all of them must close it. Thread-safe. */
public final class Messages<T> implements Iterator<T>, AutoCloseable {
  private final Iterator<T> messages;
  private final Runnable end;
  private boolean over;

  private Messages(Iterator<T> messages, Runnable end) {
    this.messages = messages;
    this.end = end;
  }

  /** Returns an answer that needs nothing but itself. */
  public static <T> Messages<T> of(List<T> messages) {
    return of(messages.iterator(), () -> {});
  }

  /**
   * Returns an answer that is made of something.
   *
   * @param end gives that back; it is run once
   */
  public static <T> Messages<T> of(Iterator<T> messages, Runnable end) {
    return new Messages<>(messages, end);
  }

  /** Returns whether there is another message, and gives everything back if there is none. */
  @Override
  public synchronized boolean hasNext() {
    boolean more = false;
    try {
      more = !over && messages.hasNext();
      return more;
    } finally {
      if (!more) {
        close();
      }
    }
  }

  @Override
  public synchronized T next() {
    return messages.next();
  }

  @Override
  public synchronized void close() {
    if (!over) {
      over = true;
      end.run();
    }
  }
}
