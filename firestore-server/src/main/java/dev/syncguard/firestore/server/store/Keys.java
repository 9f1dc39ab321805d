package dev.syncguard.firestore.server.store;

import java.util.Arrays;

/**
 * The spaces that share the one key space.
 *
 * <table>
 * <caption>What is kept under which key</caption>
 * <tr><td>{@code D}</td><td>path of the collection, id</td><td>the document</td></tr>
 * <tr><td>{@code N}</td><td>collection id, path</td><td>nothing: the documents below documents, by the id of their
 * collection</td></tr>
 * <tr><td>{@code C}</td><td>path of the collection, index, values, id</td><td>where the id starts</td></tr>
 * <tr><td>{@code G}</td><td>collection id, index, values, path</td><td>where the path starts; of documents below
 * documents</td></tr>
 * <tr><td>{@code H}</td><td>time of a commit, path</td><td>the document before it, or nothing</td></tr>
 * <tr><td>{@code S}</td><td></td><td>what else must be known when the file is opened again</td></tr>
 * </table>
 */
final class Keys {
  static final byte[] NOTHING = {};

  private static final int DOCUMENT = 'D';
  private static final int NAME = 'N';
  private static final int COLLECTION = 'C';
  private static final int GROUP = 'G';
  private static final int HISTORY = 'H';
  private static final int STATE = 'S';

  private Keys() {}

  static byte[] document(String path) {
    int slash = path.lastIndexOf('/');
    return new KeyWriter()
        .put(DOCUMENT)
        .path(path.substring(0, slash))
        .put(KeyWriter.END)
        .id(path.substring(slash + 1))
        .toBytes();
  }

  static String documentPath(byte[] key) {
    return new KeyReader(key, 1).path();
  }

  /** Returns what the keys of all documents start with. */
  static byte[] documents() {
    return new byte[] {DOCUMENT};
  }

  /** Returns what the keys of the documents directly in a collection start with. */
  static byte[] documentsIn(String collectionPath) {
    return new KeyWriter().put(DOCUMENT).path(collectionPath).put(KeyWriter.END).toBytes();
  }

  /** Returns what the keys of all documents in collections below a path start with. */
  static byte[] documentsBelow(String path) {
    return new KeyWriter().put(DOCUMENT).path(path).toBytes();
  }

  static byte[] name(String collectionId, String path) {
    return new KeyWriter().put(NAME).id(collectionId).path(path).toBytes();
  }

  /** Returns what the keys of all names of a collection id start with. */
  static byte[] names(String collectionId) {
    return new KeyWriter().put(NAME).id(collectionId).toBytes();
  }

  static byte[] collectionIndexes(String collectionPath) {
    return new KeyWriter()
        .put(COLLECTION)
        .path(collectionPath)
        .put(KeyWriter.END)
        .toBytes();
  }

  static byte[] groupIndexes(String collectionId) {
    return new KeyWriter().put(GROUP).id(collectionId).toBytes();
  }

  static byte[] history(long micros, String path) {
    return new KeyWriter().put(HISTORY).putSigned(micros).path(path).toBytes();
  }

  /** Returns where the history after a time starts. */
  static byte[] historyAfter(long micros) {
    return new KeyWriter().put(HISTORY).putSigned(micros + 1).toBytes();
  }

  static byte[] historyStart() {
    return new byte[] {HISTORY};
  }

  static byte[] historyEnd() {
    return new byte[] {HISTORY + 1};
  }

  static long historyMicros(byte[] key) {
    long bits = 0;
    for (int i = 1; i <= Long.BYTES; i++) {
      bits = bits << 8 | (key[i] & 0xFF);
    }
    return bits ^ Long.MIN_VALUE;
  }

  static String historyPath(byte[] key) {
    return new KeyReader(key, 1 + Long.BYTES).path();
  }

  static byte[] state() {
    return new byte[] {STATE};
  }

  /** Returns the first key after all that start with these bytes. */
  static byte[] afterAll(byte[] prefix) {
    byte[] after = Arrays.copyOf(prefix, prefix.length + 1);
    after[prefix.length] = (byte) KeyWriter.LAST;
    return after;
  }
}
