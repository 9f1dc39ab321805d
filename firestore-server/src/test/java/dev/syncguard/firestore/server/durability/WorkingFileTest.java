package dev.syncguard.firestore.server.durability;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.firestore.v1.Document;
import com.google.firestore.v1.Write;
import dev.syncguard.firestore.server.index.IndexConfiguration;
import dev.syncguard.firestore.server.index.IndexFile;
import dev.syncguard.firestore.server.name.DatabaseName;
import dev.syncguard.firestore.server.name.DocumentName;
import dev.syncguard.firestore.server.store.CommitGate;
import dev.syncguard.firestore.server.store.Database;
import dev.syncguard.firestore.server.value.Values;
import dev.syncguard.firestore.server.write.WritePlanner;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The file that a database works on saves time, and nothing depends on it. */
class WorkingFileTest {
  private static final DatabaseName NAME = new DatabaseName("p", "d");
  private static final int DOCUMENTS = 40;

  @TempDir
  private Path root;

  private IndexConfiguration indexes = IndexConfiguration.NONE;

  @Test
  void aFileThatWasClosedInPeaceIsUsedAgainWithThePast() {
    long before;
    try (DataDirectory directory = directory()) {
      Database database = open(directory);
      before = set(database, 0, 1);
      set(database, 0, 2);
    }
    try (DataDirectory directory = directory()) {
      Database database = open(directory);
      assertThat(database.isNew()).isFalse();
      assertThat(number(database, 0)).isEqualTo(2);
      assertThat(database.<Long>read(
              OptionalLong.of(before),
              snapshot -> Objects.requireNonNull(snapshot.get(name(0)))
                  .getFieldsOrThrow("v")
                  .getIntegerValue()))
          .isEqualTo(1);
      assertThat(set(database, 0, 3)).isGreaterThan(before);
    }
  }

  @Test
  void whateverByteOfItIsDamagedItIsMadeAgain() throws IOException {
    fill();
    byte[] whole = Files.readAllBytes(working());
    byte[] seal = Files.readAllBytes(sealed());
    for (int damaged = 0; damaged < whole.length; damaged += 1 + whole.length / 50) {
      byte[] bytes = whole.clone();
      bytes[damaged] ^= 1;
      Files.write(working(), bytes);
      Files.write(sealed(), seal);
      assertThat(isMadeAgain()).as("damaged byte " + damaged).isTrue();
    }
    Files.write(working(), whole);
    Files.write(sealed(), seal);
    assertThat(isMadeAgain()).as("undamaged").isFalse();
  }

  @Test
  void whateverByteOfItsSealIsDamagedItIsMadeAgain() throws IOException {
    fill();
    byte[] whole = Files.readAllBytes(working());
    byte[] seal = Files.readAllBytes(sealed());
    for (int damaged = 0; damaged < seal.length; damaged++) {
      byte[] bytes = seal.clone();
      bytes[damaged] ^= 1;
      Files.write(working(), whole);
      Files.write(sealed(), bytes);
      assertThat(isMadeAgain()).as("damaged byte " + damaged).isTrue();
    }
  }

  @Test
  void aDirectoryThatHasNoneIsReadLikeBefore() throws IOException {
    fill();
    Files.delete(working());
    Files.delete(sealed());
    assertThat(isMadeAgain()).isTrue();
  }

  @Test
  void aFileOfAnEarlierVersionWhoseSealTellsNoFormatIsMadeAgain() throws IOException {
    fill();
    StringBuilder words = new StringBuilder();
    Frames.scan(sealed(), payload -> {
      words.append(new String(payload, StandardCharsets.UTF_8));
      return true;
    });
    String earlier = words.substring(words.indexOf(" ") + 1);
    Files.write(sealed(), Frames.encode(earlier.getBytes(StandardCharsets.UTF_8)));
    assertThat(isMadeAgain()).isTrue();
    assertThat(isMadeAgain()).isFalse();
  }

  @Test
  void otherIndexesMeanAnotherFile() {
    fill();
    indexes = IndexFile.parse("""
        {"indexes": [{"collectionGroup": "c", "fields": [
          {"fieldPath": "v", "order": "ASCENDING"}, {"fieldPath": "w", "order": "ASCENDING"}]}]}
        """);
    assertThat(isMadeAgain()).isTrue();
    assertThat(isMadeAgain()).isFalse();
  }

  @Test
  void aFileOfAServerThatWasKilledIsNotTrusted() throws IOException {
    fill();
    byte[] seal = Files.readAllBytes(sealed());
    try (DataDirectory directory = directory()) {
      set(open(directory), 0, 7);
      assertThat(sealed()).as("while the server runs").doesNotExist();
    }
    Files.write(sealed(), seal);
    assertThat(isMadeAgain()).as("the seal of another state").isTrue();
  }

  /** Opens the directory, checks that everything is there, and returns whether the file could not be used. */
  private boolean isMadeAgain() {
    try (DataDirectory directory = directory()) {
      Database database = open(directory);
      for (int i = 1; i < DOCUMENTS; i++) {
        assertThat(number(database, i)).isEqualTo(i);
      }
      assertThat(directory.recoveries().get(0).losses()).isEmpty();
      return database.isNew();
    }
  }

  private void fill() {
    try (DataDirectory directory = directory()) {
      Database database = open(directory);
      for (int i = 0; i < DOCUMENTS; i++) {
        set(database, i, i);
      }
    }
  }

  private Path working() {
    return root.resolve("p").resolve("d~working");
  }

  private Path sealed() {
    return root.resolve("p").resolve("d~sealed");
  }

  private DataDirectory directory() {
    return DataDirectory.open(root, Fsync.NEVER, Long.MAX_VALUE);
  }

  private Database open(DataDirectory directory) {
    return directory.open(
        NAME,
        journal -> new Database(
            NAME, journal, InstantSource.system(), indexes, Database.HistoryLimits.DEFAULT));
  }

  private static long set(Database database, int id, long value) {
    Write write = Write.newBuilder()
        .setUpdate(
            Document.newBuilder().setName(name(id).toString()).putFields("v", Values.of(value)))
        .build();
    return database
        .commit(new WritePlanner(NAME).plan(List.of(write)), CommitGate.OPEN)
        .micros();
  }

  private static long number(Database database, int id) {
    Document document = database.read(snapshot -> snapshot.get(name(id)));
    return document == null ? -1 : document.getFieldsOrThrow("v").getIntegerValue();
  }

  private static DocumentName name(int id) {
    return new DocumentName(NAME, "c/d" + id);
  }
}
