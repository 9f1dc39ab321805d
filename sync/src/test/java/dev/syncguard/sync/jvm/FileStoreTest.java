package dev.syncguard.sync.jvm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileStoreTest {

  @TempDir
  private Path parent;

  private FileStore open() {
    return FileStore.open(parent.resolve("device"));
  }

  @Test
  void aValueIsThereForTheNextSession() {
    try (FileStore store = open()) {
      assertThat(store.get("key")).isNull();
      store.set("key", "välue");
      store.set("ea-key/with: anything?", "other");
      store.set("key", "newer välue");
    }
    try (FileStore store = open()) {
      assertThat(store.get("key")).isEqualTo("newer välue");
      assertThat(store.get("ea-key/with: anything?")).isEqualTo("other");
      store.remove("key");
      store.remove("key");
      assertThat(store.get("key")).isNull();
    }
  }

  @Test
  void aCrashWhileWritingLeavesTheOldValue() throws IOException {
    Path device = parent.resolve("device");
    try (FileStore store = open()) {
      store.set("key", "old");
    }
    Path value;
    try (Stream<Path> files = Files.list(device)) {
      value = files.filter(file -> file.toString().endsWith(".value")).findAny().orElseThrow();
    }
    Files.writeString(Path.of(value + ".new"), "half of the ne");
    try (FileStore store = open()) {
      assertThat(store.get("key")).isEqualTo("old");
      store.set("key", "new");
      assertThat(store.get("key")).isEqualTo("new");
    }
    try (Stream<Path> files = Files.list(device)) {
      assertThat(files).noneMatch(file -> file.toString().endsWith(".new"));
    }
  }

  @Test
  void oneProgramAtATimeHasTheDevice() {
    try (FileStore first = open()) {
      assertThatThrownBy(this::open).isInstanceOf(DeviceBusyException.class);
      first.set("key", "value");
    }
    open().close();
  }

  @Test
  void aDirectoryThatIsGoneIsNotTakenForAnEmptyOne() throws IOException {
    try (FileStore store = open()) {
      store.set("key", "value");
      Files.move(parent.resolve("device"), parent.resolve("elsewhere"));
      assertThatThrownBy(() -> store.get("key")).hasMessageContaining("is gone");
      assertThatThrownBy(() -> store.set("key", "more")).hasMessageContaining("cannot be stored");
    }
  }

  @Test
  void onlyTheOwnerMayLook() throws IOException {
    open().close();
    assertThat(
            PosixFilePermissions.toString(Files.getPosixFilePermissions(parent.resolve("device"))))
        .isEqualTo("rwx------");
  }

  @Test
  void aFileInThePlaceOfTheDirectoryIsRefused() throws IOException {
    Files.writeString(parent.resolve("device"), "not a directory");
    assertThatThrownBy(this::open).hasMessageContaining("directory of the device");
  }
}
