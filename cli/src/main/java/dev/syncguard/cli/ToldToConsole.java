package dev.syncguard.cli;

import dev.syncguard.console.ConsoleTelemetry;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.lock.telemetry.Telemetry;
import java.net.URI;

/** Lets a console on this machine hear what this program does, if {@code SYNCGUARD_TELEMETRY} names one. */
final class ToldToConsole {

  private static final String VARIABLE = "SYNCGUARD_TELEMETRY";

  private ToldToConsole() {}

  static LockBackend over(LockBackend backend, Surroundings surroundings) {
    String address = surroundings.variable(VARIABLE);
    if (address.isEmpty()) {
      return backend;
    }
    try {
      ConsoleTelemetry telemetry = ConsoleTelemetry.to(URI.create(address), "syncguard");
      // Commands are short, and what they did last is worth knowing, too.
      Runtime.getRuntime().addShutdownHook(new Thread(telemetry::close));
      return Telemetry.to(telemetry).deliverOn(Runnable::run).over(backend);
    } catch (IllegalArgumentException e) {
      backend.close();
      throw LockException.invalidArgument(
          VARIABLE + " must be the address that syncguard console printed for it, or not be set");
    }
  }
}
