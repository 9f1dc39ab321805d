package dev.syncguard.lock.simulation;

import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** One thread of the simulated world. It moves only while it has the baton. */
final class Actor {

  /** Ends a thread that will never get the baton again. */
  private static final class Stopped extends Error {
    private static final long serialVersionUID = 1L;

    Stopped() {
      super("stopped", null, false, false);
    }
  }

  private final World world;
  final World.Machine machine;
  private final String name;
  private final Runnable work;
  private final Semaphore baton = new Semaphore(0);
  private final Semaphore handedBack = new Semaphore(0);
  private @Nullable Thread thread;
  private long readyAt;
  private boolean done;
  private boolean stopped;

  Actor(World world, World.Machine machine, String name, Runnable work, long readyAt) {
    this.world = world;
    this.machine = machine;
    this.name = name;
    this.work = work;
    this.readyAt = readyAt;
  }

  long readyAt() {
    return readyAt;
  }

  boolean isDone() {
    return done;
  }

  boolean hasStarted() {
    return thread != null;
  }

  void cancelIfNotStarted() {
    if (thread == null) {
      done = true;
    }
  }

  /** Called by the world: does one step, up to the next wait or the end. */
  void step() {
    if (thread == null) {
      thread = new Thread(this::live, name);
      thread.setDaemon(true);
      thread.start();
    } else {
      baton.release();
    }
    handedBack.acquireUninterruptibly();
  }

  private void live() {
    try {
      work.run();
    } catch (Stopped e) {
      // The story is over.
    } catch (Throwable e) {
      world.fail(e);
    } finally {
      done = true;
      handedBack.release();
    }
  }

  /** Called by the actor itself: gives the baton back until then, or until it is woken. */
  void waitUntil(long nanos) {
    readyAt = nanos;
    handedBack.release();
    // The simulated library decides what an interruption means, not the baton.
    boolean interrupted = Thread.interrupted();
    baton.acquireUninterruptibly();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    if (stopped) {
      throw new Stopped();
    }
  }

  void wake(long nanos) {
    readyAt = Math.min(readyAt, nanos);
  }

  void interrupt(long nanos) {
    if (thread != null && !done) {
      thread.interrupt();
      wake(nanos);
    }
  }

  /** Ends the thread after the story. Its last words change nothing that anybody looks at. */
  void stop() {
    if (thread != null && !done) {
      stopped = true;
      baton.release();
      handedBack.acquireUninterruptibly();
      while (!done) {
        baton.release();
        handedBack.acquireUninterruptibly();
      }
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
