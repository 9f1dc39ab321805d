package dev.syncguard.sync;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Goes through the runbook as an operator would, with a reader on two devices who notices as little as possible. */
class RunbookDrillTest {

  private static final String WRITES = "allow create, update: if";

  private final World world = new World();
  private RealServer server;

  @BeforeEach
  void start() throws IOException {
    server = new RealServer(world);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  @Tag("T115")
  void stoppingTighteningAndRecoveringLosesNothing() throws IOException {
    World.Device laptop = world.device();
    World.Device phone = world.device();
    World.Tab reading = server.tab(laptop);
    reading.read("before");
    world.passMinutes(2);
    assertThat(laptop.dirty(SyncedField.READ)).isFalse();

    String normal = RealServer.rules();
    assertThat(normal).contains(WRITES);
    server.deploy(normal.replace(WRITES, "allow create, update: if false &&"));
    reading.read("during");
    world.passMinutes(5);
    assertThat(reading.sync.reader().read()).containsExactlyInAnyOrder("before", "during");
    assertThat(laptop.dirty(SyncedField.READ)).as("kept for later").isTrue();
    World.Tab elsewhere = server.tab(phone);
    assertThat(elsewhere.sync.reader().read()).as("pulling goes on").containsExactly("before");
    reading.close();
    elsewhere.close();

    server.deploy(normal.replace("10000", "5000"));
    SyncConfig tightened = server
        .config()
        .readCap(5_000)
        .writeFloorMillis(60_000)
        .dailyPushes(10, 20)
        .build();
    World.Tab again = server.tab(laptop, tightened);
    world.passMinutes(5);
    assertThat(laptop.dirty(SyncedField.READ)).as("pushed after recovery").isFalse();
    again.close();

    server.deploy(normal);
    World.Tab last = server.tab(phone);
    assertThat(last.sync.reader().read()).containsExactlyInAnyOrder("before", "during");
  }
}
