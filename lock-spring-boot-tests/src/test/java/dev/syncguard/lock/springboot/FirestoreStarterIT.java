package dev.syncguard.lock.springboot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.cloud.firestore.DocumentSnapshot;
import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.FirestoreOptions;
import dev.syncguard.lock.Fence;
import dev.syncguard.lock.Lease;
import dev.syncguard.lock.LockRequest;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.springboot.autoconfigure.LockStoreException;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

/** Locks through the {@code Firestore} bean of an application, on a server that does not know us. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class FirestoreStarterIT {

  @TempDir
  Path directory;

  private FirestoreProcess server;

  @BeforeEach
  void start() throws Exception {
    server = FirestoreProcess.start(directory);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private ApplicationContextRunner application() {
    return Applications.bare()
        .withBean("firestore", Firestore.class, this::client)
        .withPropertyValues("syncguard.firestore.timeout=1m");
  }

  private Firestore client() {
    return FirestoreOptions.newBuilder()
        .setProjectId("demo-spring")
        .setEmulatorHost(server.host())
        .build()
        .getService();
  }

  @Test
  void theLocksAreInTheApplicationsFirestore() {
    application().withPropertyValues("syncguard.firestore.collection=our_locks").run(one -> {
      assertThat(one.getBean(LockBackend.class).capabilities().backend()).isEqualTo("firestore");
      try (Lease lease = patient(one, "report").acquire()) {
        assertThat(documents(one.getBean(Firestore.class), "our_locks")).hasSize(1);
        assertThat(documents(one.getBean(Firestore.class), "locks")).isEmpty();
        assertThat(lease.fence()).isNotNull();
      }
      assertThat(documents(one.getBean(Firestore.class), "our_locks")).isEmpty();
    });
  }

  @Test
  void twoApplicationsExcludeEachOtherAndFencesRise() {
    application()
        .withUserConfiguration(Reports.class)
        .run(one -> application().withUserConfiguration(Reports.class).run(two -> {
          Fence first = one.getBean(Reports.class).write();
          try (Lease held = patient(one, "reports").acquire()) {
            assertThat(held.fence()).isGreaterThan(first);
            assertThatThrownBy(() -> two.getBean(Reports.class).write())
                .isInstanceOf(LockBusyException.class);
          }
          assertThat(two.getBean(Reports.class).write()).isGreaterThan(first);
        }));
  }

  @Test
  void theClockOffsetIsAMeter() {
    application().withConfiguration(Applications.meters()).run(one -> {
      patient(one, "report").run(lease -> {});
      assertThat(one.getBean(MeterRegistry.class)
              .get("syncguard.lock.clock.offset")
              .timeGauge()
              .value(TimeUnit.SECONDS))
          .as("the clock of one machine and itself")
          .isBetween(-60.0, 60.0);
    });
  }

  @Test
  void severalClientsAreRefusedUntilOneIsPrimary() {
    application()
        .withBean("other", Firestore.class, this::client)
        .run(one -> assertThat(one)
            .getFailure()
            .rootCause()
            .isInstanceOf(LockStoreException.class)
            .hasMessageContaining("several Firestore beans"));
  }

  /** Waits longer than a client that was just made takes on a busy machine for its first answer. */
  private static LockRequest patient(ApplicationContext application, String key) {
    return application.getBean(Locks.class).lock(key).waitUpTo(Duration.ofMinutes(2));
  }

  private static List<? extends DocumentSnapshot> documents(Firestore firestore, String collection)
      throws Exception {
    return firestore.collection(collection).get().get().getDocuments();
  }

  /** A service that writes reports, one at a time. */
  static class Reports {
    @Locked(name = "reports", waitUpTo = "0s")
    public Fence write() {
      return CurrentLease.fence();
    }
  }
}
