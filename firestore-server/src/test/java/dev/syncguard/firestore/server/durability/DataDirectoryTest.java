package dev.syncguard.firestore.server.durability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.firestore.v1.Document;
import com.google.firestore.v1.Write;
import com.google.rpc.Code;
import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.name.DatabaseName;
import dev.syncguard.firestore.server.name.DocumentName;
import dev.syncguard.firestore.server.store.CommitGate;
import dev.syncguard.firestore.server.store.Database;
import dev.syncguard.firestore.server.store.IndexPolicy;
import dev.syncguard.firestore.server.value.Values;
import dev.syncguard.firestore.server.write.WritePlanner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class DataDirectoryTest {
  private static final DatabaseName NAME = new DatabaseName("p", "(default)");
  private static final long NEVER_COMPACT = Long.MAX_VALUE;

  @TempDir
  private Path root;

  private DataDirectory directory(long compactAfterBytes) {
    return DataDirectory.open(root, Fsync.NEVER, compactAfterBytes);
  }

  private static Database open(DataDirectory directory, InstantSource time) {
    return directory.open(
        NAME,
        journal -> new Database(
            NAME, journal, time, IndexPolicy.EVERYTHING, Database.HistoryLimits.DEFAULT));
  }

  private static Database open(DataDirectory directory) {
    return open(directory, InstantSource.system());
  }

  @Test
  void aRestartFindsEverythingAndGoesOnWithLaterTimes() {
    long before;
    try (DataDirectory directory = directory(NEVER_COMPACT)) {
      Database database = open(directory);
      set(database, "a", 1);
      set(database, "b", 2);
      delete(database, "a");
      before = set(database, "c", 3);
    }
    try (DataDirectory directory = directory(NEVER_COMPACT)) {
      assertThat(directory.names()).containsExactly(NAME);
      // The clock of the new server is far behind that of the old one.
      Database database = open(directory, InstantSource.fixed(Instant.EPOCH));
      assertThat(numbers(database)).containsExactly(-1L, 2L, 3L);
      assertThat(set(database, "a", 4)).isGreaterThan(before);
      assertThat(directory.recoveries().get(0).losses()).isEmpty();
    }
  }

  @Test
  void aLogThatEndsAnywhereGivesExactlyItsWholeCommits() throws IOException {
    List<Long> ends = new ArrayList<>();
    try (DataDirectory directory = directory(NEVER_COMPACT)) {
      Database database = open(directory);
      for (int i = 0; i < 4; i++) {
        set(database, "a", i);
        ends.add(Files.size(log()));
      }
    }
    byte[] whole = Files.readAllBytes(log());
    for (int length = 0; length <= whole.length; length++) {
      Files.write(log(), Arrays.copyOf(whole, length));
      long complete = countAtMost(ends, length);
      try (DataDirectory directory = directory(NEVER_COMPACT)) {
        Database database = open(directory);
        assertThat(number(database, "a")).as("cut at byte " + length).isEqualTo(complete - 1);
        boolean clean = complete == 0 ? length == 0 : ends.contains((long) length);
        assertThat(directory.recoveries().get(0).losses().isEmpty())
            .as("cut at byte " + length)
            .isEqualTo(clean);
        set(database, "b", 9);
      }
      try (DataDirectory directory = directory(NEVER_COMPACT)) {
        assertThat(number(open(directory), "b"))
            .as("what follows a cut log is kept")
            .isEqualTo(9);
      }
    }
  }

  @Test
  void whicheverByteOfALogIsDamagedTheCommitsBeforeItAreReadAndTheLossIsReported()
      throws IOException {
    List<Long> ends = new ArrayList<>();
    try (DataDirectory directory = directory(NEVER_COMPACT)) {
      Database database = open(directory);
      for (int i = 0; i < 3; i++) {
        set(database, "a", i);
        ends.add(Files.size(log()));
      }
    }
    byte[] whole = Files.readAllBytes(log());
    for (int damaged = 0; damaged < whole.length; damaged++) {
      byte[] bytes = whole.clone();
      bytes[damaged] ^= 1;
      Files.write(log(), bytes);
      long intact = countAtMost(ends, damaged);
      try (DataDirectory directory = directory(NEVER_COMPACT)) {
        assertThat(number(open(directory), "a"))
            .as("damaged byte " + damaged)
            .isEqualTo(intact - 1);
        assertThat(directory.recoveries().get(0).commits()).isEqualTo(intact);
        assertThat(directory.recoveries().get(0).losses())
            .as("damaged byte " + damaged)
            .singleElement()
            .asString()
            .contains("after " + intact + " whole commits");
      }
      if (intact < ends.size() - 1) {
        // In front of other commits it cannot be a write that was cut off: the bytes are kept.
        assertThat(log().resolveSibling(log().getFileName() + ".damaged")).hasBinaryContent(bytes);
      }
    }
  }

  @Test
  void aCommitInPartsIsThereAsAWholeOrNotAtAll() throws IOException {
    long small;
    try (DataDirectory directory = directory(NEVER_COMPACT)) {
      Database database = open(directory);
      set(database, "a", 7);
      small = Files.size(log());
      database.commit(new WritePlanner(NAME).plan(largeWrites()), CommitGate.QUIET);
      set(database, "b", 8);
    }
    byte[] whole = Files.readAllBytes(log());
    List<Long> frames = framesOf(whole);
    assertThat(frames).as("the small ones, and the parts").hasSizeGreaterThan(4);
    List<Long> parts = frames.subList(1, frames.size() - 1);
    for (long part : parts.subList(1, parts.size())) {
      for (long length : List.of(part - 1, part, part + 1, part + 12)) {
        Files.write(log(), Arrays.copyOf(whole, (int) length));
        requireOnlyTheFirst("cut at byte " + length);
        assertThat(log()).hasSize(small);
      }
    }
    for (long part : parts) {
      byte[] bytes = whole.clone();
      bytes[(int) part + 100] ^= 1;
      Files.write(log(), bytes);
      requireOnlyTheFirst("damaged part at byte " + part);
      assertThat(log().resolveSibling(log().getFileName() + ".damaged")).hasBinaryContent(bytes);
    }
    Files.write(log(), whole);
    try (DataDirectory directory = directory(NEVER_COMPACT)) {
      Database database = open(directory);
      assertThat(directory.recoveries().get(0).commits()).isEqualTo(3);
      assertThat(directory.recoveries().get(0).losses()).isEmpty();
      assertThat(numbers(database)).containsExactly(7L, 8L, -1L);
      for (int i = 0; i < 5; i++) {
        assertThat(number(database, "large" + i)).isEqualTo(i);
      }
    }
  }

  private void requireOnlyTheFirst(String state) {
    try (DataDirectory directory = directory(NEVER_COMPACT)) {
      Database database = open(directory);
      assertThat(number(database, "a")).as(state).isEqualTo(7);
      assertThat(number(database, "b")).as(state).isEqualTo(-1);
      for (int i = 0; i < 5; i++) {
        assertThat(number(database, "large" + i)).as(state).isEqualTo(-1);
      }
      assertThat(directory.recoveries().get(0).commits()).as(state).isEqualTo(1);
      assertThat(directory.recoveries().get(0).losses()).as(state).hasSize(1);
    }
  }

  private static List<Write> largeWrites() {
    List<Write> writes = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      writes.add(Write.newBuilder()
          .setUpdate(Document.newBuilder()
              .setName(name("large" + i).toString())
              .putFields("v", Values.of((long) i))
              .putFields("text", Values.of("x".repeat(700_000))))
          .build());
    }
    return writes;
  }

  /** Returns where each frame of a log begins. */
  private static List<Long> framesOf(byte[] log) {
    List<Long> starts = new ArrayList<>();
    ByteBuffer bytes = ByteBuffer.wrap(log);
    while (bytes.hasRemaining()) {
      starts.add((long) bytes.position());
      bytes.position(bytes.position() + 12 + bytes.getInt(bytes.position()));
    }
    return starts;
  }

  @Test
  void aSnapshotReplacesTheLogsAndLosesNothing() throws IOException {
    try (DataDirectory directory = directory(2_000)) {
      Database database = open(directory);
      for (int i = 0; i < 100; i++) {
        set(database, "d" + i % 10, i);
        directory.maintain();
      }
      delete(database, "d0");
    }
    try (Stream<Path> files = Files.list(databaseDirectory())) {
      assertThat(files.mapToLong(file -> file.toFile().length()).sum()).isLessThan(20_000);
    }
    try (DataDirectory directory = directory(2_000)) {
      Database database = open(directory);
      assertThat(number(database, "d0")).isEqualTo(-1);
      for (int i = 1; i < 10; i++) {
        assertThat(number(database, "d" + i)).isEqualTo(90 + i);
      }
    }
  }

  @Test
  void aFullDiskRefusesCommitsAndShowsNothingThatIsNotSafe() throws IOException {
    DataDirectory directory = directory(1);
    Database database = open(directory);
    set(database, "z", 1);
    Files.createSymbolicLink(
        databaseDirectory().resolve("commits-0000000000000001"), Path.of("/dev/full"));
    directory.maintain(); // the next log is the full disk
    assertThatThrownBy(() -> set(database, "a", 1))
        .isInstanceOfSatisfying(
            FirestoreServerException.class, e -> assertThat(e.code()).isEqualTo(Code.UNAVAILABLE));
    assertThatThrownBy(() -> number(database, "a")).isInstanceOf(FirestoreServerException.class);
    assertThatThrownBy(() -> set(database, "b", 1)).isInstanceOf(FirestoreServerException.class);
    directory.close();
  }

  @Test
  void aDatabaseThatIsDeletedLeavesNoFilesAndCanBeMadeAgain() {
    try (DataDirectory directory = directory(NEVER_COMPACT)) {
      set(open(directory), "a", 1);
      directory.delete(NAME);
      assertThat(databaseDirectory()).doesNotExist();
      assertThat(number(open(directory), "a")).isEqualTo(-1);
    }
  }

  @Test
  void twoServersCannotShareADirectory() {
    try (DataDirectory ignored = directory(NEVER_COMPACT)) {
      assertThatThrownBy(() -> directory(NEVER_COMPACT)).isInstanceOf(UncheckedIOException.class);
    }
  }

  private Path databaseDirectory() {
    return root.resolve("p").resolve("%28default%29");
  }

  private Path log() {
    return databaseDirectory().resolve("commits-0000000000000000");
  }

  private static long countAtMost(List<Long> ends, int length) {
    return ends.stream().filter(end -> end <= length).count();
  }

  private static long set(Database database, String id, long value) {
    return commit(
        database,
        Write.newBuilder()
            .setUpdate(
                Document.newBuilder().setName(name(id).toString()).putFields("v", Values.of(value)))
            .build());
  }

  private static void delete(Database database, String id) {
    commit(database, Write.newBuilder().setDelete(name(id).toString()).build());
  }

  private static long commit(Database database, Write write) {
    return database
        .commit(new WritePlanner(NAME).plan(List.of(write)), CommitGate.OPEN)
        .micros();
  }

  private static List<Long> numbers(Database database) {
    return List.of(number(database, "a"), number(database, "b"), number(database, "c"));
  }

  private static long number(Database database, String id) {
    Document document = database.read(snapshot -> snapshot.get(name(id)));
    return document == null ? -1 : document.getFieldsOrThrow("v").getIntegerValue();
  }

  private static DocumentName name(String id) {
    return DocumentName.parse(NAME.documents() + "/c/" + id);
  }
}
