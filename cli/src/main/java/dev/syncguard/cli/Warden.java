package dev.syncguard.cli;

import dev.syncguard.lock.LockException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * A process beside us that signals the command for us, and stops it when it no longer hears from us in time.
 *
 * <p>So the command is stopped before its lease ends even if this process has been killed or suspended, and nothing has
 * to be started in the moment when it has to be stopped. What it does is written in {@code warden.sh}. Threads may share
 * it; the last thing that its owner does is to wait for its {@link #outcome}.
 */
final class Warden {

  /** Where the script travels: as an argument it would fill the process list. */
  private static final String VARIABLE = "SYNCGUARD_WARDEN";

  /** How it ended. */
  enum Outcome {
    /** Nothing was left to do. */
    IDLE,
    /** It stopped the command because we said so. */
    STOPPED,
    /** It stopped the command because it had not heard from us in time. */
    STOPPED_ALONE,
    /** Somebody killed it. */
    DIED
  }

  private final Process process;
  private final OutputStream orders;
  private final StopPlan plan;

  private Warden(Process process, StopPlan plan) {
    this.process = process;
    this.orders = process.getOutputStream();
    this.plan = plan;
  }

  static Warden start(StopPlan plan, Duration remaining, Executables executables) {
    List<String> command = new ArrayList<>();
    if (executables.has("setsid")) {
      command.add("setsid");
    }
    command.addAll(List.of(
        "bash",
        "-c",
        "eval \"$" + VARIABLE + "\"",
        "syncguard-warden",
        seconds(plan.grace()),
        seconds(plan.patience(remaining))));
    ProcessBuilder builder = new ProcessBuilder(command)
        .redirectOutput(Redirect.DISCARD)
        .redirectError(Redirect.INHERIT);
    builder.environment().put(VARIABLE, script());
    try {
      return new Warden(builder.start(), plan);
    } catch (IOException e) {
      throw new LockException(
          LockException.Code.INTERNAL, "run needs bash to watch over its command; install it", e);
    }
  }

  /** Says what to guard, as {@link Isolation#target} tells. */
  void guard(long target, Duration remaining) {
    order("target", remaining, Long.toString(target));
  }

  /** Says that the lease lasts so much longer. */
  void confirm(Duration remaining) {
    order("lease", remaining, "");
  }

  /** Passes a signal on to the command. */
  void signal(String name, Duration remaining) {
    order("signal", remaining, name);
  }

  /** Stops the command, by force if it does not end in time. */
  void stop() {
    order("stop", Duration.ZERO, "");
  }

  /** Stops what the command left behind in its process group when it ended. */
  void sweep() {
    order("sweep", Duration.ZERO, "");
  }

  /** Says that the command has ended. */
  void dismiss() {
    order("end", Duration.ZERO, "");
  }

  /** Waits until it has done what it had to do. */
  Outcome outcome() throws InterruptedException {
    if (!process.waitFor(plan.grace().plusSeconds(30).toMillis(), TimeUnit.MILLISECONDS)) {
      process.destroyForcibly().waitFor();
    }
    return switch (process.exitValue()) {
      case 0 -> Outcome.IDLE;
      case 3 -> Outcome.STOPPED;
      case 4 -> Outcome.STOPPED_ALONE;
      default -> Outcome.DIED;
    };
  }

  /** Returns whether somebody killed it, so that nobody guards the command any more. */
  boolean hasDied() throws InterruptedException {
    return !process.isAlive() && outcome() == Outcome.DIED;
  }

  private synchronized void order(String word, Duration remaining, String value) {
    String patience = seconds(plan.patience(remaining));
    try {
      orders.write(
          (word + " " + patience + " " + value + "\n").getBytes(StandardCharsets.US_ASCII));
      orders.flush();
    } catch (IOException e) {
      // It has ended: it stopped the command on its own, or somebody killed it. Its outcome tells.
    }
  }

  private static String seconds(Duration duration) {
    long millis = Math.max(10, duration.toMillis());
    return String.format(Locale.ROOT, "%d.%03d", millis / 1000, millis % 1000);
  }

  private static String script() {
    try (InputStream in = Warden.class.getResourceAsStream("warden.sh")) {
      if (in == null) {
        throw new IllegalStateException("warden.sh is missing from the program");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
