package dev.syncguard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.firestore.server.FirestoreServer;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every command works on Firestore, too. */
class FirestoreStoreIT {

  private static FirestoreServer server;

  @RegisterExtension
  final RealProgram program = new RealProgram();

  @BeforeAll
  static void start() {
    server = FirestoreServer.builder().strictIndexes(true).start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private Answer syncguard(String... arguments) {
    return program
        .with("SYNCGUARD_STORE", "firestore://demo-cli")
        .with("FIRESTORE_EMULATOR_HOST", server.emulatorHost())
        .run(arguments);
  }

  @Test
  void aCommandRunsUnderALockOnFirestore() {
    Answer answer =
        syncguard("run", "--wait", "1m", "demo", "--", "sh", "-c", "echo fence $SYNCGUARD_FENCE");
    assertThat(answer.exitCode()).as(answer.err()).isZero();
    assertThat(answer.out()).contains("fence 000000000000001");
    assertThat(syncguard("is-locked", "demo").exitCode()).isEqualTo(1);
  }

  @Test
  void aLockOutlivesItsCommandAndIsListed() {
    assertThat(syncguard("acquire", "--wait", "1m", "a/held").exitCode()).isZero();
    assertThat(syncguard("is-locked", "a/held").exitCode()).isZero();
    assertThat(syncguard("list").exitCode()).isZero();
    assertThat(syncguard(
                "acquire",
                "--wait",
                "1m",
                "a/held",
                "--store",
                "firestore://demo-cli?collection=others")
            .exitCode())
        .as("in another collection")
        .isZero();
    assertThat(syncguard("is-locked", "a/held", "--store", "firestore://demo-cli/another")
            .exitCode())
        .as("in another database")
        .isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({"+0s, 0", "+0.3s, 1", "-0.7s, 2"})
  void theDoctorsExitCodeJudgesTheClock(String offset, int exitCode) throws IOException {
    WallClock.of(program, offset);
    Answer answer = syncguard("doctor");
    // On a busy machine Google's client alone may take the ten seconds in which Firestore has to
    // answer.
    for (int i = 0; i < 10 && answer.out().contains("NetworkTimeout"); i++) {
      answer = syncguard("doctor");
    }
    assertThat(answer.exitCode()).as(answer.out() + answer.err()).isEqualTo(exitCode);
    assertThat(answer.out()).contains("clock: This clock differs from Firestore's by");
  }

  @Test
  void anUnsafeClockTakesNoLockUnlessTheAddressAllowsIt() throws IOException {
    // So far off that also an answer after many seconds proves it.
    WallClock clock = WallClock.of(program, "-1h");
    program.with("FIRESTORE_EMULATOR_HOST", server.emulatorHost());
    Answer refused =
        program.run("acquire", "--wait", "20s", "--store", "firestore://demo-cli", "unsafe");
    assertThat(refused.exitCode()).as(refused.out()).isEqualTo(ExitCode.UNAVAILABLE);
    assertThat(refused.err()).contains("clock of this machine");
    clock.set("-0.7s");
    Answer allowed = program.run(
        "acquire", "--wait", "1m", "--store", "firestore://demo-cli?unsafeClock=allow", "unsafe");
    assertThat(allowed.exitCode()).as(allowed.err()).isZero();
  }

  @Test
  void aServerThatIsNotThereIsUnavailable() {
    Answer missing = program
        .with("SYNCGUARD_STORE", "firestore://demo-cli")
        .with("FIRESTORE_EMULATOR_HOST", "127.0.0.1:1")
        .run("list");
    assertThat(missing.exitCode()).isEqualTo(ExitCode.UNAVAILABLE);
  }

  @Test
  void anAddressThatMakesNoSenseIsWrongUsage() {
    assertThat(syncguard("list", "--store", "firestore://demo?x=y").exitCode())
        .isEqualTo(ExitCode.WRONG_USAGE);
  }
}
