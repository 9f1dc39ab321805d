package dev.syncguard.sync.simulation;

import java.util.HashSet;
import java.util.Set;

/** What the documents of one account have ever held. */
final class History {

  /** Marks that were there once. */
  final Set<String> read = new HashSet<>();

  /** Preferences that were there once, as {@code author=v}. */
  final Set<String> authors = new HashSet<>();

  /** Marks that a clearing has taken away for good. */
  final Set<String> buried = new HashSet<>();

  /**
   * Marks and preferences that a repeated reset took away without a new epoch, because it was begun without a view of the
   * remote: other devices may bring them back. The plan accepts that.
   */
  final Set<String> shaken = new HashSet<>();

  /** The date to load from may have gone down in the same way. */
  boolean loadFromShaken;

  /** The furthest date to load from that was lost with a document. */
  long lostLoadFrom = Long.MIN_VALUE;

  /** The furthest epoch of read marks. */
  int readEpoch;

  void add(Contents contents) {
    readEpoch = Math.max(readEpoch, contents.readEpoch());
    read.addAll(contents.read());
    contents.authors().forEach((author, v) -> authors.add(author + "=" + v));
  }
}
