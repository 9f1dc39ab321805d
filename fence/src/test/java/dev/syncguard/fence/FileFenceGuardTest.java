package dev.syncguard.fence;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.syncguard.lock.Fence;
import dev.syncguard.lock.Lease;
import dev.syncguard.lock.LeaseLostException;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.jdbc.SqliteLockBackend;
import dev.syncguard.lock.memory.MemoryLockBackend;
import dev.syncguard.lock.testkit.ChildJvm;
import dev.syncguard.lock.testkit.LateHolder;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 3, unit = TimeUnit.MINUTES)
class FileFenceGuardTest {

  private static final Fence FIRST = new Fence(41);
  private static final Fence SECOND = new Fence(42);

  @TempDir
  private Path directory;

  private FileFenceGuard guard() {
    return FileFenceGuard.of(directory.resolve("report.csv"));
  }

  private void write(Fence fence, String text) throws IOException {
    guard().write(fence, out -> out.write(text.getBytes(UTF_8)));
  }

  private String read() throws IOException {
    try (InputStream in = guard().newInputStream()) {
      return new String(in.readAllBytes(), UTF_8);
    }
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void whoWritesMayCloseWhatItWasGiven() throws Exception {
    guard().write(FIRST, out -> {
      try (Writer writer = new OutputStreamWriter(out, UTF_8)) {
        writer.write("all of it");
      }
    });
    assertThat(read()).isEqualTo("all of it");
  }

  @ParameterizedTest
  @ValueSource(strings = {"000000000000000", "900000000000001", "999999999999999"})
  void aFileWhoseNumberIsNoFenceIsSomebodyElses(String number) throws Exception {
    Files.writeString(directory.resolve("report-" + number + ".csv"), "theirs");
    assertThat(guard().latest()).isEmpty();
    write(FIRST, "one");
    write(SECOND, "two");
    assertThat(read()).isEqualTo("two");
    assertThat(names()).hasSize(2).contains("report-" + number + ".csv");
  }

  @Test
  void theHighestFenceIsReadAndTheOlderOnesGo() throws Exception {
    assertThat(guard().latest()).isEmpty();
    assertThatThrownBy(this::read).isInstanceOf(NoSuchFileException.class);
    write(FIRST, "one");
    write(FIRST, "two");
    assertThat(read()).isEqualTo("two");
    write(SECOND, "three");
    assertThat(read()).isEqualTo("three");
    assertThat(names()).containsExactly("report-000000000000042.csv");
  }

  @Test
  void aLowerFenceIsRefusedAndLeavesNoTrace() throws Exception {
    write(SECOND, "second");
    assertThatThrownBy(() -> write(FIRST, "late")).isInstanceOf(StaleFenceException.class);
    assertThat(read()).isEqualTo("second");
    assertThat(names()).containsExactly("report-000000000000042.csv");
  }

  @Test
  void aHolderThatIsOvertakenWhileItWritesIsRefusedAndLeavesNoTrace() throws Exception {
    assertThatThrownBy(() -> guard().write(FIRST, out -> {
          out.write("half of".getBytes(UTF_8));
          write(SECOND, "second");
          out.write(" the first".getBytes(UTF_8));
        }))
        .isInstanceOf(StaleFenceException.class);
    assertThat(read()).isEqualTo("second");
    assertThat(names()).containsExactly("report-000000000000042.csv");
  }

  @Test
  void whatFailsHalfwayIsNeverSeen() throws Exception {
    write(FIRST, "first");
    assertThatThrownBy(() -> guard().write(SECOND, out -> {
          out.write("half".getBytes(UTF_8));
          throw new IOException("the disk is full");
        }))
        .hasMessage("the disk is full");
    assertThat(read()).isEqualTo("first");
    assertThat(names()).containsExactly("report-000000000000041.csv");
  }

  @Test
  void neighboursWithSimilarNamesAreLeftAlone() throws Exception {
    List<String> neighbours = List.of(
        "report-1.csv", "report-000000000000040.csv.bak", "reports-000000000000040.csv", "x");
    for (String name : neighbours) {
      Files.writeString(directory.resolve(name), "mine");
    }
    write(SECOND, "second");
    assertThat(names()).containsAll(neighbours).hasSize(neighbours.size() + 1);
    FileFenceGuard.of(directory.resolve("no extension")).write(FIRST, out -> out.write(1));
    assertThat(directory.resolve("no extension-000000000000041")).exists();
  }

  @Test
  void itIsOneLineWithALockAndALostLeaseIsRefusedBeforeAnythingIsWritten() throws Exception {
    try (Locks locks = Locks.over(new MemoryLockBackend())) {
      locks.lock("report").run(lease -> guard().write(lease, out -> out.write('1')));
      assertThat(read()).isEqualTo("1");
      Lease lost = locks.lock("report").acquire();
      lost.release();
      assertThatThrownBy(() -> FileFenceGuard.of(Path.of("/no/such/directory/file"))
              .write(lost, out -> out.write('2')))
          .isInstanceOf(LeaseLostException.class);
    }
  }

  @Test
  void aHolderThatWasStoppedBeyondItsTtlIsRefused(@TempDir Path elsewhere) throws Exception {
    Path locks = elsewhere.resolve("locks.db");
    try (SqliteLockBackend backend = SqliteLockBackend.open(locks);
        ChildJvm holder =
            ChildJvm.run(FileHolder.class, directory.resolve("report.csv"), locks, "report")) {
      assertThat(LateHolder.stopBeyondItsTtl(
              holder,
              backend,
              "report",
              lease -> guard().write(lease, out -> out.write("second".getBytes(UTF_8)))))
          .containsExactly("LeaseLostException", "StaleFenceException");
    }
    assertThat(read()).isEqualTo("second");
    assertThat(names()).hasSize(1);
  }
}
