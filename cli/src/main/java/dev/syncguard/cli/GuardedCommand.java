package dev.syncguard.cli;

import dev.syncguard.lock.Lease;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A command that runs under a lease and is stopped before the lease ends. */
final class GuardedCommand {

  private static final int TERMINATED = ExitCode.ofSignal(15);

  private final Lease lease;
  private final Duration maxHold;
  private final StopPlan plan;
  private final Isolation isolation;
  private final Executables executables;
  private final Output output;
  private final Consumer<String> checkpoint;
  private final long startedAt = System.nanoTime();

  /** Signals come on threads of their own. */
  private volatile Warden warden;

  /**
   * How the command ended.
   *
   * @param exitCode what to exit with
   * @param reason why we stopped it, if we did
   */
  record Ending(int exitCode, Optional<String> reason) {}

  /** Starts the warden; {@link #run} must follow. */
  GuardedCommand(
      Lease lease,
      Duration maxHold,
      StopPlan plan,
      Isolation isolation,
      Executables executables,
      Output output,
      Consumer<String> checkpoint) {
    this.lease = lease;
    this.maxHold = maxHold;
    this.plan = plan;
    this.isolation = isolation;
    this.executables = executables;
    this.output = output;
    this.checkpoint = checkpoint;
    this.warden = Warden.start(plan, lease::remaining, executables, SharedClock.OF_THIS_MACHINE);
    checkpoint.accept("warden started");
  }

  /** Runs the command with our own input and output until it ends or has to be stopped. */
  Ending run(List<String> command, Signals signals) {
    try {
      Optional<List<String>> waiting = warden.behindGate(command);
      if (waiting.isEmpty()) {
        return notStarted();
      }
      checkpoint.accept("gate is there");
      ProcessBuilder builder = new ProcessBuilder(isolation.wrap(waiting.get())).inheritIO();
      builder.environment().put("SYNCGUARD_FENCE", lease.fence().text());
      builder.environment().put(LockIdSource.VARIABLE, lease.id().value());
      Process process = builder.start();
      checkpoint.accept("command at the gate");
      warden.guard(process.pid());
      checkpoint.accept("gate opened");
      signals.handTo(this::forward);
      checkpoint.accept("signals forwarded");
      return await(process);
    } catch (IOException e) {
      warden.dismiss();
      output.problem("The command to run could not be started");
      return new Ending(ExitCode.NOT_EXECUTABLE, Optional.empty());
    } catch (InterruptedException e) {
      throw new IllegalStateException("Nobody interrupts the main thread", e);
    }
  }

  private Ending notStarted() throws InterruptedException {
    if (warden.outcome() == Warden.Outcome.STOPPED_ALONE) {
      output.problem("The lease can no longer be promised, so the command was not started");
      return new Ending(ExitCode.UNAVAILABLE, Optional.of("lost"));
    }
    output.problem("The process that guards the command has ended, so the command was not started");
    return new Ending(ExitCode.INTERNAL, Optional.empty());
  }

  private void forward(String signal) {
    if (isolation.forwards(signal)) {
      warden.signal(signal);
    }
  }

  private Ending await(Process process) throws InterruptedException {
    Optional<String> reason = Optional.empty();
    while (!process.waitFor(plan.pace().toNanos(), TimeUnit.NANOSECONDS)) {
      Duration remaining = lease.remaining();
      boolean replaced = replaceIfDead(process);
      if (reason.isPresent() && !replaced) {
        continue;
      }
      if (plan.isDue(remaining)) {
        reason = Optional.of(holdIsOver(remaining) ? "max-hold" : "lost");
        // First of all: nobody may read what we say, and then we wait for them.
        warden.stop();
        output.problem(
            holdIsOver(remaining)
                ? "The lock has been held for as long as --max-hold allows; stopping the command"
                : "The lease can no longer be promised; stopping the command before it ends");
      } else {
        warden.confirm();
        checkpoint.accept("confirmed");
      }
    }
    checkpoint.accept("command ended");
    if (reason.isEmpty()) {
      leaveNothingBehind(process.exitValue());
    }
    checkpoint.accept("guard dismissed");
    if (warden.outcome() == Warden.Outcome.STOPPED_ALONE) {
      reason = Optional.of("lost");
    }
    return ending(process.exitValue(), reason);
  }

  private boolean replaceIfDead(Process process) throws InterruptedException {
    if (!warden.hasDied()) {
      return false;
    }
    warden = Warden.startGuarding(
        process.pid(), plan, lease::remaining, executables, SharedClock.OF_THIS_MACHINE);
    return true;
  }

  /**
   * Lets go of what a command left running when it ended well; that is its way to start a service. When it was struck
   * down, its helpers know nothing of it and would go on without the lock.
   */
  private void leaveNothingBehind(int exitCode) {
    if (ExitCode.isSignal(exitCode) && isolation.ownGroup()) {
      warden.sweep();
    } else {
      warden.dismiss();
    }
  }

  private boolean holdIsOver(Duration remaining) {
    Duration held = Duration.ofNanos(System.nanoTime() - startedAt);
    return held.plus(remaining).plusSeconds(1).compareTo(maxHold) >= 0;
  }

  /** A command that we stopped has not succeeded, whatever it says itself. */
  private static Ending ending(int exitCode, Optional<String> reason) {
    if (reason.isEmpty()) {
      return new Ending(exitCode, reason);
    }
    if (reason.get().equals("lost")) {
      return new Ending(ExitCode.UNAVAILABLE, reason);
    }
    return new Ending(exitCode == ExitCode.DONE ? TERMINATED : exitCode, reason);
  }
}
