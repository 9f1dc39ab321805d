package dev.syncguard.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.syncguard.lock.memory.MemoryLockBackend;
import dev.syncguard.lock.telemetry.Telemetry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LockNoteTest {

  private final MemoryLockBackend backend = new MemoryLockBackend();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "   ",
        "two\nlines",
        "bell \u0007",
        "\u001b[31mred",
        "\u0085",
        "\u2028",
        "back\u202eto front",
        "zero\u200bwidth",
        "\ud800",
        "NUL \u0000"
      })
  void aNoteThatAScreenCouldNotShowIsRefused(String text) {
    assertThatThrownBy(() -> LockNote.of(text))
        .isInstanceOfSatisfying(
            LockException.class,
            refusal -> assertThat(refusal.code()).isEqualTo(LockException.Code.INVALID_ARGUMENT));
    assertThat(LockNote.stored(text)).isEmpty();
  }

  @Test
  void aNoteIsMeasuredInBytes() {
    assertThat(LockNote.of("x".repeat(200)).text()).hasSize(200);
    assertThat(LockNote.of("ü".repeat(100)).text()).hasSize(100);
    assertThatThrownBy(() -> LockNote.of("x".repeat(201))).isInstanceOf(LockException.class);
    assertThatThrownBy(() -> LockNote.of("ü".repeat(101))).isInstanceOf(LockException.class);
  }

  @Test
  void aRefusalDoesNotRepeatWhatWasRefused() {
    assertThatThrownBy(() -> LockNote.of("password\n")).hasMessageNotContaining("password");
  }

  @Test
  void theNoteOfAProcessNamesItAndItsMachine() {
    assertThat(LockNote.ofThisProcess().text())
        .matches("pid " + ProcessHandle.current().pid() + " on [A-Za-z0-9._?-]{1,64}");
    assertThat(LockNote.ofThisProcess("backup").text()).startsWith("backup, pid ");
  }

  @Test
  void nobodyIsDescribedUnlessAskedTo() {
    try (Locks locks = Locks.over(backend);
        Lease lease = locks.lock("report").acquire()) {
      assertThat(noteOf(locks, "report")).isEmpty();
    }
  }

  @Test
  void theNoteOfTheLocksIsThatOfEveryRequestThatHasNoOther() {
    LockNote ours = LockNote.ofThisProcess();
    try (Locks locks = Locks.builder(backend).note(ours).build()) {
      Lease waited = locks.lock("waited").acquire();
      Lease tried = locks.lock("tried").tryAcquire().orElseThrow();
      LeaseGroup group = locks.lockAll("one", "two").acquire();
      Lease permit = locks.semaphore("permits", 1).acquire();
      Lease own = locks.lock("own").note("my own words").acquire();
      for (String key : List.of("waited", "tried", "one", "two", "permits#1")) {
        assertThat(noteOf(locks, key)).as(key).contains(ours);
      }
      assertThat(noteOf(locks, "own")).contains(LockNote.of("my own words"));
      List.of(waited, tried, permit, own).forEach(Lease::close);
      group.close();
    }
  }

  @Test
  void theNoteIsKeptWhetherWaitersPollAreWokenOrAreHandedTheKey() throws Exception {
    for (Locks.Builder builder : List.of(
        Locks.builder(backend),
        Locks.builder(backend).pollingOnly(),
        Locks.builder(Telemetry.to(event -> {}).over(backend)),
        Locks.builder(backend).maxHandOffs(0))) {
      try (Locks locks = builder.build()) {
        Lease first = locks.lock("report").note("first").acquire();
        CompletableFuture<Lease> second =
            locks.lock("report").note("second").waitUpTo(Duration.ofMinutes(1)).acquireAsync();
        while (locks.waiting() == 0) {
          Thread.onSpinWait();
        }
        first.close();
        try (Lease lease = second.get()) {
          assertThat(noteOf(locks, "report")).contains(LockNote.of("second"));
        }
      }
    }
  }

  @Test
  void noEventCarriesANote() {
    List<String> events = new ArrayList<>();
    try (Locks locks = Locks.over(Telemetry.to(event -> events.add(event.toString()))
        .includeRaw(true)
        .deliverOn(Runnable::run)
        .over(backend))) {
      locks.lock("report").note("a canary").run(lease -> {});
    }
    assertThat(events).hasSizeGreaterThan(1).noneMatch(event -> event.contains("canary"));
  }

  private static Optional<LockNote> noteOf(Locks locks, String key) {
    return locks.getByKey(key).orElseThrow().note();
  }
}
