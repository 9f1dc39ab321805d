package dev.syncguard.lock.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Ttl;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.spi.ReleaseResult;
import dev.syncguard.torture.proxy.FaultProxy;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A thread that is interrupted while it connects, which the driver tells in a way of its own. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class PostgresInterruptsIT {

  private static final LockKey KEY = LockKey.of("report");
  private static final Cancellation NEVER = Cancellation.none();

  private final PostgresDatabase database = new PostgresDatabase();
  private FaultProxy proxy;
  private LockBackend setUp;
  private LockBackend backend;

  @BeforeEach
  void open() throws IOException {
    setUp = database.open();
    proxy = FaultProxy.to("127.0.0.1", database.server().port());
    backend = PostgresLockBackend.connect(PostgresServer.url(proxy.port(), database.name()));
    proxy.failAt(1, FaultProxy.Failure.STALL);
  }

  @AfterEach
  void close() {
    proxy.close();
    backend.close();
    setUp.close();
    database.close();
  }

  /** Does it in a thread that is interrupted while it waits for the first answer of the server, which does not come. */
  private <T> T interrupted(Callable<T> call) throws InterruptedException, ExecutionException {
    FutureTask<T> task = new FutureTask<>(call);
    Thread thread = new Thread(task);
    thread.start();
    PostgresDatabase.await(
        () -> proxy.hasFailed() && thread.getState() == Thread.State.TIMED_WAITING);
    thread.interrupt();
    return task.get();
  }

  @Test
  void anOperationIsAbortedAndTheThreadStaysInterrupted() throws Exception {
    LockException refusal = interrupted(() -> {
      LockException thrown =
          catchThrowableOfType(LockException.class, () -> backend.isLocked(KEY, NEVER));
      assertThat(Thread.currentThread().isInterrupted()).isTrue();
      return thrown;
    });
    assertThat(refusal.code()).isEqualTo(LockException.Code.ABORTED);
  }

  @Test
  void aReleaseIsDoneAllTheSame() throws Exception {
    LockId id = LockId.random(new SecureRandom());
    setUp.acquire(KEY, id, Ttl.ofMillis(600_000), NEVER);
    ReleaseResult released = interrupted(() -> {
      ReleaseResult result = backend.release(id, NEVER);
      assertThat(Thread.currentThread().isInterrupted()).isTrue();
      return result;
    });
    assertThat(released).isInstanceOf(ReleaseResult.Released.class);
    assertThat(setUp.isLocked(KEY, NEVER)).isFalse();
  }
}
