package dev.syncguard.firestore.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.h2.mvstore.MVStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A key space in a file of which next to nothing fits into memory. */
@Tag("slow")
class KeySpaceFileTest {
  private static final int BUFFER_BYTES = 256 << 10;
  private static final int ENTRIES = 12_000;
  private static final long BLOCK_BYTES = 4096;
  private static final byte[] FIRST = {};
  private static final byte[] LAST = {(byte) 0xFF};

  @TempDir
  private Path directory;

  private final Random random = new Random(1);
  private KeySpace keys;
  private Path file;

  @BeforeEach
  void open() {
    file = directory.resolve("file");
    keys = KeySpace.open(file, new EngineMemory(1 << 20, BUFFER_BYTES));
  }

  @AfterEach
  void close() {
    keys.abandon();
  }

  @Test
  void aFileThatIsFilledInNoOrderStaysASmallMultipleOfWhatItHolds() throws IOException {
    KeySpace.Root whatIsSeenMeanwhile = keys.root();
    long held = 0;
    for (int i = 0; i < ENTRIES; i++) {
      byte[] key = key(random.nextLong());
      keys.put(key, value(i));
      keys.tidy();
      held += key.length + value(i).length;
    }
    assertThat(Files.size(file)).isBetween(held / 4, 3 * held);
    assertThat(whatIsSeenMeanwhile.isEmpty(FIRST, LAST)).isTrue();
    whatIsSeenMeanwhile.release();
  }

  @Test
  void aFileWhoseEntriesAreReplacedOverAndOverDoesNotGrow() throws IOException {
    fill(0);
    long once = Files.size(file);
    for (int round = 1; round <= 5; round++) {
      fill(round);
    }
    assertThat(Files.size(file)).isLessThan(3 * once);
  }

  @Test
  void noMoreIsWrittenAtOnceThanTheBufferHoldsHoweverDifferentTheEntriesAre() {
    byte[] large = new byte[BUFFER_BYTES / 40];
    for (int commit = 0; commit < 60; commit++) {
      for (int i = 0; i < 16; i++) {
        random.nextBytes(large);
        keys.put(key(i), large.clone()); // a document
        keys.put(key(100 + commit * 16 + i), large.clone()); // what it replaces
        keys.remove(key(-1 - (commit - 1) * 16 - i)); // an index entry before and after
        keys.put(key(-1 - commit * 16 - i), IndexPlace.of(commit, false));
        byte[] longKey = new byte[1500];
        random.nextBytes(longKey);
        longKey[0] = 'Z';
        keys.put(longKey, IndexPlace.of(commit, false));
      }
      keys.tidy();
    }
    keys.abandon();
    assertThat(largestChunk()).isBetween(BUFFER_BYTES / 2L, BUFFER_BYTES * 5 / 4L);
  }

  @Test
  void whoeverHoldsARootSeesTheEntriesOfThenHoweverMuchIsMovedAndReplaced() {
    Map<String, String> then = new TreeMap<>();
    for (int i = 0; i < ENTRIES; i++) {
      then.put(text(key(i)), text(value(0)));
    }
    fill(0);
    KeySpace.Root root = keys.root();
    for (int round = 1; round <= 3; round++) {
      fill(round);
    }
    Map<String, String> seen = new TreeMap<>();
    Entries entries = root.entries(FIRST, LAST, false);
    for (; !entries.isOver(); entries.advance()) {
      seen.put(text(entries.key()), text(entries.value()));
    }
    assertThat(seen).isEqualTo(then);
    root.release();
  }

  @Test
  void keysComeBackFromTheFileByteForByteWhateverTheyHaveInCommon() {
    keys.abandon();
    Path other = directory.resolve("keys");
    keys = KeySpace.open(other, new EngineMemory(1 << 20, BUFFER_BYTES));
    Map<String, String> put = new TreeMap<>();
    for (int i = 0; i < 5_000; i++) {
      // Few kinds of bytes and all lengths: many keys begin with all of another one.
      byte[] key = new byte[random.nextInt(40)];
      for (int at = 0; at < key.length; at++) {
        key[at] = (byte) (random.nextInt(3) - 1);
      }
      keys.put(key, value(i));
      put.put(text(key), text(value(i)));
    }
    keys.close();
    keys = KeySpace.open(other, new EngineMemory(1 << 20, BUFFER_BYTES));
    Map<String, String> found = new TreeMap<>();
    List<byte[]> order = new ArrayList<>();
    KeySpace.Root root = keys.root();
    Entries entries = root.entries(FIRST, new byte[] {(byte) 0xFF, (byte) 0xFF, 2}, false);
    for (; !entries.isOver(); entries.advance()) {
      found.put(text(entries.key()), text(entries.value()));
      order.add(entries.key());
    }
    root.release();
    put.keySet().removeIf(key -> key.compareTo(text(new byte[] {-1, -1, 2})) >= 0);
    assertThat(found).isEqualTo(put);
    assertThat(order.stream().map(KeySpaceFileTest::text)).isSorted();
  }

  private long largestChunk() {
    try (MVStore engine =
        new MVStore.Builder().fileName(file.toString()).readOnly().open()) {
      return engine.getLayoutMap().entrySet().stream()
              .filter(entry -> entry.getKey().startsWith("chunk."))
              .map(entry -> entry.getValue().replaceAll(".*\\blen:([0-9a-f]+).*", "$1"))
              .mapToLong(blocks -> Long.parseLong(blocks, 16))
              .max()
              .orElseThrow()
          * BLOCK_BYTES;
    }
  }

  private void fill(int round) {
    for (int i = 0; i < ENTRIES; i++) {
      keys.put(key(scattered(i)), value(round));
      keys.tidy();
    }
  }

  /** Visits every number below {@link #ENTRIES} once, in no order. */
  private static long scattered(int i) {
    return i * 7_919L % ENTRIES;
  }

  private static byte[] key(long number) {
    byte[] prefix = "index/of a field/".getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(prefix.length + Long.BYTES)
        .put(prefix)
        .putLong(number)
        .array();
  }

  private static byte[] value(int number) {
    return ("some bytes that only this entry has " + number).getBytes(StandardCharsets.UTF_8);
  }

  // One character for each byte, in the same order.
  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }
}
