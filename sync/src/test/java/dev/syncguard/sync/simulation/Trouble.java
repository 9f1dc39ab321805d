package dev.syncguard.sync.simulation;

import dev.syncguard.sync.Http;
import java.util.Random;

/** Brings about the {@link Circumstance} of a story. */
final class Trouble {

  private static final long HOUR = 3_600_000;
  private static final long YEAR = 365 * 24 * HOUR;
  private static final int LATE = 100;
  private static final int LATEST = 2_000;

  private final World world;
  private final Random random;
  private final Circumstance circumstance;

  Trouble(World world, long seed) {
    this.world = world;
    this.random = new Random((seed ^ 0x5DEECE66DL) * 0x9E3779B97F4A7C15L);
    this.circumstance = Circumstance.of(random);
  }

  boolean is(Circumstance other) {
    return circumstance == other;
  }

  /** Lets a device suffer from the beginning. */
  void befall(Device device) {
    switch (circumstance) {
      case YEARS_OFF -> {
        if (random.nextBoolean()) {
          device.jumpClock((random.nextInt(17) - 8) * YEAR);
        }
      }
      case LATE_VALUES -> {
        if (device.sharedStorage == Device.SharedStorage.WORKS) {
          device.crossing = random.nextBoolean();
          device.lateness = () -> random.nextInt(random.nextInt(8) == 0 ? LATEST : LATE);
        }
      }
      case PROXY, WRITE_QUOTA, NONE -> {}
    }
  }

  /** Does what it does, once in a while. */
  void perhapsStrike(Device device, Network network) {
    switch (circumstance) {
      case PROXY -> {
        if (device.proxy != null) {
          device.proxy = random.nextInt(6) == 0 ? null : device.proxy;
        } else if (random.nextInt(20) == 0) {
          int kind = random.nextInt(5);
          device.proxy = () -> answer(kind);
          world.say(() -> device + ": gets behind a proxy of kind " + kind);
        }
      }
      case YEARS_OFF -> {
        if (random.nextInt(30) == 0) {
          device.jumpClock((random.nextInt(17) - 8) * YEAR);
        }
      }
      case WRITE_QUOTA -> {
        boolean refuses = network.refusesWrites;
        network.refusesWrites = random.nextInt(refuses ? 12 : 15) == 0 ? !refuses : refuses;
        if (network.refusesWrites != refuses) {
          network.shortages += refuses ? 0 : 1;
          world.say(() -> "the server: has " + (refuses ? "" : "no ") + "quota for writes");
        }
      }
      case LATE_VALUES, NONE -> {}
    }
  }

  private static Http.Answer answer(int kind) {
    return switch (kind) {
      case 0 -> new Http.Answer(413, "<html>413 Request Entity Too Large</html>", null);
      case 1 -> new Http.Answer(404, "<html>not found</html>", null);
      case 2 -> new Http.Answer(403, "<html>blocked by your organisation</html>", null);
      case 3 -> new Http.Answer(200, "<html>please accept the terms</html>", null);
      default ->
        new Http.Answer(
            400, Cloud.error(400, "INVALID_ARGUMENT", "The size of it is not allowed."), null);
    };
  }

  /** Ends what must have an end before all can be well. */
  void end(Device device, Network network) {
    device.proxy = null;
    network.refusesWrites = false;
    if (circumstance == Circumstance.YEARS_OFF && random.nextBoolean()) {
      device.correctClock();
    }
  }
}
