package dev.syncguard.cli;

import dev.syncguard.lock.LockException;
import dev.syncguard.sync.Listener;
import dev.syncguard.sync.PersistenceSync;
import dev.syncguard.sync.ReaderState;
import dev.syncguard.sync.ResetOutcome;
import dev.syncguard.sync.SyncConfig;
import dev.syncguard.sync.SyncStatus;
import dev.syncguard.sync.SyncedField;
import dev.syncguard.sync.jvm.DeviceBusyException;
import dev.syncguard.sync.jvm.ReaderDevice;
import dev.syncguard.sync.jvm.ReaderIdentity;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/** A device while a command uses it, with the server behind it. */
final class ReaderSession implements AutoCloseable {

  /** A server that may have to be ended. */
  interface Server extends AutoCloseable {
    @Override
    void close();
  }

  /** What a command may want to hear while it waits. */
  interface Events {
    /** Other devices changed something here. */
    default void changed(Set<SyncedField> fields) {}

    /** Something a person should read. */
    default void notice(String text) {}
  }

  /** What the reader has on this device. */
  record View(Set<String> read, String loadFrom, Map<String, Integer> authors, SyncStatus status) {
    static View of(PersistenceSync sync) {
      ReaderState reader = sync.reader();
      return new View(
          Set.copyOf(reader.read()),
          reader.loadFrom(),
          Map.copyOf(reader.authorPreferences()),
          sync.status());
    }
  }

  private final ReaderDevice device;
  private final Server server;

  private ReaderSession(ReaderDevice device, Server server) {
    this.device = device;
    this.server = server;
  }

  static ReaderSession open(
      SyncConfig config, Path directory, ReaderIdentity identity, Events events, Server server) {
    try {
      Listener listener = new Listener() {
        @Override
        public void applied(Set<SyncedField> fields) {
          events.changed(fields);
        }

        @Override
        public void notice(String text) {
          events.notice(text);
        }
      };
      return new ReaderSession(ReaderDevice.open(config, directory, identity, listener), server);
    } catch (DeviceBusyException e) {
      server.close();
      throw new LockException(
          LockException.Code.ACQUISITION_TIMEOUT,
          "This device is in use by another terminal; choose another with --device NAME",
          e);
    } catch (RuntimeException e) {
      server.close();
      throw e;
    }
  }

  void start() {
    unhurried(device::start);
  }

  void pull() {
    unhurried(() -> {
      device.pull();
      return true;
    });
  }

  void flush() {
    unhurried(() -> {
      device.flush();
      return true;
    });
  }

  ResetOutcome reset() {
    return unhurried(device::reset);
  }

  <T> T call(Function<PersistenceSync, T> use) {
    return unhurried(() -> device.call(use));
  }

  void change(Consumer<ReaderState> change) {
    call(sync -> {
      change.accept(sync.reader());
      return true;
    });
  }

  View view() {
    return call(View::of);
  }

  private interface Step<T> {
    T take() throws InterruptedException;
  }

  private static <T> T unhurried(Step<T> step) {
    try {
      return step.take();
    } catch (UncheckedIOException e) {
      throw new LockException(
          LockException.Code.SERVICE_UNAVAILABLE,
          "The files of this device can no longer be used; was its directory deleted, or is the disk"
              + " full?",
          e);
    } catch (InterruptedException e) {
      throw new IllegalStateException("Nobody interrupts the main thread", e);
    }
  }

  @Override
  public void close() {
    try {
      device.close();
    } finally {
      server.close();
    }
  }
}
