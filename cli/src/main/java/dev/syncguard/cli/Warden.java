package dev.syncguard.cli;

import dev.syncguard.lock.LockException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * A process beside us that lets the command begin, signals it for us, and stops it when it no longer hears from us in
 * time.
 *
 * <p>So the command is stopped before its lease ends even if this process has been killed or suspended, whenever that
 * was, and nothing has to be started in the moment when it has to be stopped. The command waits at a gate that opens
 * when the warden guards it, and that the kernel closes if the warden ends. Deadlines are told as times of a clock
 * that both read, so an order that was written too late cannot prolong anything. What it does is written in {@code
 * warden.sh} and {@code gate.sh}. Threads may share it; the last thing that its owner does is to wait for its {@link
 * #outcome}.
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
    /** It stopped the command, or did not let it begin, because it had not heard from us in time. */
    STOPPED_ALONE,
    /** Somebody killed it. */
    DIED
  }

  private final Process process;
  private final OutputStream orders;
  private final StopPlan plan;
  private final Supplier<Duration> remaining;
  private final SharedClock clock;

  private Warden(Process process, StopPlan plan, Supplier<Duration> remaining, SharedClock clock) {
    this.process = process;
    this.orders = process.getOutputStream();
    this.plan = plan;
    this.remaining = remaining;
    this.clock = clock;
  }

  /**
   * Starts one.
   *
   * @param remaining how long the lease still lasts, asked before each order
   */
  static Warden start(
      StopPlan plan, Supplier<Duration> remaining, Executables executables, SharedClock clock) {
    return start(plan, remaining, executables, clock, "");
  }

  /** Starts one in place of another that died. It guards the command from its first moment: nothing has to be told. */
  static Warden startGuarding(
      long pid,
      StopPlan plan,
      Supplier<Duration> remaining,
      Executables executables,
      SharedClock clock) {
    return start(plan, remaining, executables, clock, Long.toString(pid));
  }

  private static Warden start(
      StopPlan plan,
      Supplier<Duration> remaining,
      Executables executables,
      SharedClock clock,
      String target) {
    List<String> command = new ArrayList<>();
    if (executables.has("setsid")) {
      command.add("setsid");
    }
    command.addAll(List.of(
        "bash",
        "-pc",
        "eval \"$" + VARIABLE + "\"",
        "syncguard-warden",
        Long.toString(plan.grace().toMillis() / 10),
        Long.toString(deadline(plan, remaining, clock)),
        clock.file().toString(),
        target));
    ProcessBuilder builder = new ProcessBuilder(command).redirectError(Redirect.INHERIT);
    builder.environment().put(VARIABLE, script("warden.sh"));
    try {
      return new Warden(builder.start(), plan, remaining, clock);
    } catch (IOException e) {
      throw new LockException(
          LockException.Code.INTERNAL, "run needs bash to watch over its command; install it", e);
    }
  }

  /** Returns a command that waits until {@link #guard} and then becomes the given one; empty if this warden has ended. */
  Optional<List<String>> behindGate(List<String> command) throws IOException {
    BufferedReader answers = new BufferedReader(
        new InputStreamReader(process.getInputStream(), Charset.defaultCharset()));
    String gate = answers.readLine();
    if (gate == null) {
      return Optional.empty();
    }
    List<String> waiting = new ArrayList<>(List.of("bash", "-pc", script("gate.sh"), gate));
    waiting.addAll(command);
    return Optional.of(waiting);
  }

  /** Guards the process at the gate, and lets it begin. */
  void guard(long pid) {
    order("target", Long.toString(pid));
  }

  /** Tells how long the lease lasts by now. */
  void confirm() {
    order("lease", "");
  }

  /** Passes a signal on to the command. */
  void signal(String name) {
    order("signal", name);
  }

  /** Stops the command, by force if it does not end in time. */
  void stop() {
    order("stop", "");
  }

  /** Stops what the command left behind when it ended. */
  void sweep() {
    order("sweep", "");
  }

  /** Says that the command has ended. */
  void dismiss() {
    order("end", "");
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

  /** Returns whether somebody killed it, so that nobody guards the command any more. One that is suspended is killed here. */
  boolean hasDied() throws InterruptedException {
    if (isSuspended()) {
      process.destroyForcibly();
    }
    return !process.isAlive() && outcome() == Outcome.DIED;
  }

  private boolean isSuspended() {
    try {
      String stat = Files.readString(Path.of("/proc", Long.toString(process.pid()), "stat"));
      // Its name stands in brackets before.
      return stat.startsWith("T", stat.lastIndexOf(") ") + 2);
    } catch (IOException e) {
      return false; // It has ended, or the system has no such file.
    }
  }

  private synchronized void order(String word, String value) {
    String line = word + " " + deadline(plan, remaining, clock) + " " + value + "\n";
    try {
      orders.write(line.getBytes(StandardCharsets.US_ASCII));
      orders.flush();
    } catch (IOException e) {
      // It has ended: it stopped the command on its own, or somebody killed it. Its outcome tells.
    }
  }

  /** The clock is read first: whatever holds us up afterwards makes the deadline too early, never too late. */
  private static long deadline(StopPlan plan, Supplier<Duration> remaining, SharedClock clock) {
    long now = clock.hundredths();
    return now + plan.patience(remaining.get()).toMillis() / 10;
  }

  private static String script(String name) {
    try (InputStream in = Warden.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException(name + " is missing from the program");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
