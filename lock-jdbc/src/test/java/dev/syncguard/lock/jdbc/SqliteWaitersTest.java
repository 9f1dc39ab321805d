package dev.syncguard.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.Lease;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.testkit.ChildJvm;
import dev.syncguard.lock.testkit.TemporaryDirectory;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Processes that wait for one key, some of which die or are stopped in line.
 *
 * <p>{@code -Dsyncguard.sqlite.waiters=200} lets as many wait, and prints what they cost.
 */
@Timeout(value = 30, unit = TimeUnit.MINUTES)
@Tag("slow")
class SqliteWaitersTest {

  private static final int WAITERS = Integer.getInteger("syncguard.sqlite.waiters", 8);
  private static final Duration IDLE = Duration.ofSeconds(WAITERS > 100 ? 30 : 5);
  private static final String KEY = "report";

  private final TemporaryDirectory directory = new TemporaryDirectory();
  private final Path file = directory.path().resolve("locks.db");
  private final SqliteLockBackend backend = SqliteLockBackend.open(file);
  private final Locks locks = Locks.over(backend);
  private final List<ChildJvm> children = new ArrayList<>();

  @AfterEach
  void tidyUp() {
    children.forEach(ChildJvm::close);
    locks.close();
    backend.close();
    directory.close();
  }

  /** Waits for the key, says which fence it got, and gives the key back. */
  static final class WaitingProcess {
    public static void main(String[] arguments) throws Exception {
      try (SqliteLockBackend backend = SqliteLockBackend.open(Path.of(arguments[0]));
          Locks locks = Locks.over(backend)) {
        locks.lock("something else").waitUpTo(Duration.ofHours(1)).run(lease -> {});
        System.out.println("ready");
        System.in.read();
        try (Lease lease = locks.lock(KEY).waitUpTo(Duration.ofHours(1)).acquire()) {
          System.out.println(lease.fence().value());
        }
      }
    }
  }

  /** Starts processes side by side, and lets them enter the line one after the other. */
  private List<ChildJvm> standInLine(int count) throws InterruptedException {
    List<ChildJvm> waiters = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      ChildJvm waiter = ChildJvm.run(WaitingProcess.class, file);
      children.add(waiter);
      waiters.add(waiter);
      if (i % 4 == 3) {
        waiters.forEach(ChildJvm::awaitReady);
      }
    }
    waiters.forEach(ChildJvm::awaitReady);
    for (ChildJvm waiter : waiters) {
      long before = standing();
      waiter.tell();
      while (standing() == before) {
        TimeUnit.MILLISECONDS.sleep(1);
      }
    }
    return waiters;
  }

  private long standing() {
    return RawSqlite.number(file, "SELECT count(*) FROM waiters");
  }

  private Lease hold(String key) {
    return locks.lock(key).ttl(Duration.ofMinutes(20)).acquire();
  }

  @Test
  void allAreServedInOrderAndCostNextToNothingWhileTheyWait() throws Exception {
    Lease lease = hold(KEY);
    List<ChildJvm> waiters = standInLine(WAITERS);
    TimeUnit.SECONDS.sleep(1);
    Duration before = cpu(waiters);
    TimeUnit.MILLISECONDS.sleep(IDLE.toMillis());
    Duration used = cpu(waiters).minus(before);
    double percentEach = 100.0 * used.toNanos() / IDLE.toNanos() / waiters.size();
    long start = System.nanoTime();
    long fence = lease.fence().value();
    lease.close();
    for (ChildJvm waiter : waiters) {
      fence++;
      assertThat(waiter.nextLine()).as("in order").isEqualTo(Long.toString(fence));
    }
    Duration took = Duration.ofNanos(System.nanoTime() - start);
    System.out.printf(
        "%d waiters: %.3f %% of a core each while idle, served in order in %d ms%n",
        waiters.size(), percentEach, took.toMillis());
    waiters.forEach(waiter -> assertThat(waiter.exitCode()).isZero());
    assertThat(standing()).isZero();
    // The clock of processes ticks in hundredths of a second, so this is what a few ticks make.
    assertThat(percentEach).as("percent of a core each").isLessThan(0.5);
  }

  private static Duration cpu(List<ChildJvm> processes) {
    return processes.stream().map(ChildJvm::cpu).reduce(Duration.ZERO, Duration::plus);
  }

  @Test
  void aKeyIsFreeAlthoughSomebodyDiedInLineForIt() throws Exception {
    Lease lease = hold(KEY);
    List<ChildJvm> waiters = standInLine(2);
    waiters.forEach(ChildJvm::kill);
    assertThat(standing()).isEqualTo(2);
    lease.close();
    assertThat(locks.lock(KEY).tryAcquire()).isPresent();
    assertThat(standing()).isZero();
  }

  @Test
  void theDeadInLineDoNotDelayTheLiving() throws Exception {
    Lease lease = hold(KEY);
    List<ChildJvm> waiters = standInLine(3);
    waiters.get(0).kill();
    waiters.get(1).kill();
    lease.close();
    assertThat(waiters.get(2).nextLine()).isEqualTo("2");
    assertThat(standing()).isZero();
  }

  @Test
  void aStoppedProcessDelaysTheOthersForItsTurnAndComesBackToWhereItStood() throws Exception {
    Lease lease = hold(KEY);
    List<ChildJvm> waiters = standInLine(3);
    ChildJvm stopped = waiters.get(0);
    stopped.signal("STOP");
    lease.close();
    Optional<Lease> other = locks.lock("another key").tryAcquire();
    assertThat(other).as("other keys are not concerned").isPresent();
    assertThat(waiters.get(1).nextLine()).isEqualTo("2");
    assertThat(waiters.get(2).nextLine()).isEqualTo("3");
    stopped.signal("CONT");
    assertThat(stopped.nextLine()).isEqualTo("4");
    other.get().close();
  }

  /** Holds the key until it is told to end; then it says whether it still has the lease. */
  static final class HoldingProcess {
    public static void main(String[] arguments) throws Exception {
      try (SqliteLockBackend backend = SqliteLockBackend.open(Path.of(arguments[0]));
          Locks locks = Locks.over(backend);
          Lease lease = locks
              .lock(KEY)
              .ttl(Duration.ofSeconds(3))
              .autoExtend(Duration.ofHours(1))
              .acquire()) {
        System.out.println("ready");
        System.in.read();
        System.out.println(lease.isHeld());
      }
    }
  }

  @Test
  void aStoppedHolderConcernsNobodyWhoWantsAnotherKeyAndLosesItsOwn() {
    ChildJvm holder = ChildJvm.run(HoldingProcess.class, file);
    children.add(holder);
    holder.awaitReady();
    holder.signal("STOP");
    for (int i = 0; i < 5; i++) {
      locks.lock("another key").run(lease -> {});
    }
    Lease next = locks.lock(KEY).waitUpTo(Duration.ofMinutes(1)).acquire();
    assertThat(next.fence().value()).as("whoever waits is served").isEqualTo(2);
    holder.signal("CONT");
    holder.tell();
    assertThat(holder.nextLine()).as("it knows what it lost").isEqualTo("false");
    assertThat(next.isHeld()).isTrue();
    next.close();
  }

  /** Is stopped in the worst moment: while it writes. */
  static final class WritingProcess {
    public static void main(String[] arguments) throws Exception {
      try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + arguments[0]);
          Statement statement = connection.createStatement()) {
        statement.execute("BEGIN IMMEDIATE");
        System.out.println("ready");
        System.in.read();
        statement.execute("ROLLBACK");
      }
    }
  }

  @Test
  void aProcessThatIsStoppedWhileItWritesHoldsUpWritersForTheirBusyTimeoutAndReadersNotAtAll() {
    Duration busyTimeout = Duration.ofMillis(200);
    ChildJvm writer = ChildJvm.run(WritingProcess.class, file);
    children.add(writer);
    try (SqliteLockBackend impatient =
            SqliteLockBackend.builder(file).busyTimeout(busyTimeout).build();
        Locks hasty = Locks.over(impatient)) {
      writer.awaitReady();
      writer.signal("STOP");
      assertThatExceptionOfType(LockException.class)
          .isThrownBy(() -> hasty.lock("another key").tryAcquire())
          .satisfies(e -> assertThat(e.code()).isEqualTo(LockException.Code.SERVICE_UNAVAILABLE))
          .withMessageContaining("stopped while it wrote")
          .withMessageContaining("200 ms");
      assertThat(impatient.isLocked(LockKey.of(KEY), Cancellation.none())).isFalse();
      writer.signal("CONT");
      writer.tell();
      Lease lease = hasty.lock("another key").waitUpTo(Duration.ofMinutes(1)).acquire();
      assertThat(lease.fence().value()).as("nothing had been granted").isEqualTo(1);
      lease.close();
    }
  }
}
