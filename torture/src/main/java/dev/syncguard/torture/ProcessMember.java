package dev.syncguard.torture;

import dev.syncguard.lock.LockException;
import dev.syncguard.torture.history.Event;
import dev.syncguard.torture.history.EventText;
import dev.syncguard.torture.proxy.FaultProxy;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A worker process, what it says, and what is done to it. Thread-safe. */
final class ProcessMember implements Crew.Member {

  private static final long START_SECONDS = 60;
  private static final long END_SECONDS = 20;
  private static final long BETWEEN_LOSSES_MILLIS = 40;

  private final Process process;
  private final Optional<FaultProxy> proxy;
  private final int worker;
  private final Ledger ledger;
  private final BufferedWriter toWorker;
  private final Thread listener;
  private final CompletableFuture<Boolean> ready = new CompletableFuture<>();
  private final CompletableFuture<Boolean> answered = new CompletableFuture<>();

  private ProcessMember(Process process, Optional<FaultProxy> proxy, int worker, Ledger ledger) {
    this.process = process;
    this.proxy = proxy;
    this.worker = worker;
    this.ledger = ledger;
    this.toWorker = new BufferedWriter(
        new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8));
    this.listener = daemon("torture-listener-" + worker, this::listen);
  }

  static ProcessMember start(
      List<String> command,
      Map<String, String> environment,
      Optional<FaultProxy> proxy,
      int worker,
      Ledger ledger)
      throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
    builder.environment().putAll(environment);
    ProcessMember member = new ProcessMember(builder.start(), proxy, worker, ledger);
    member.listener.start();
    return member;
  }

  private static Thread daemon(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    return thread;
  }

  private void listen() {
    try (BufferedReader lines = new BufferedReader(
        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        hear(line);
      }
    } catch (IOException e) {
      // The pipe broke because the process was killed.
    }
    ready.complete(false);
    answered.complete(false);
  }

  @Override
  public boolean isAtWork() {
    return answered.isDone();
  }

  @Override
  public void awaitAnswer() {
    boolean unused =
        answered.completeOnTimeout(false, START_SECONDS, TimeUnit.SECONDS).join();
  }

  @Override
  public void awaitReady() {
    boolean begun =
        ready.completeOnTimeout(false, START_SECONDS, TimeUnit.SECONDS).join();
    if (!begun) {
      throw new LockException(
          LockException.Code.SERVICE_UNAVAILABLE,
          "A worker process ended, or hung, before it could take a lock; see whether syncguard doctor"
              + " can use the store");
    }
  }

  private void hear(String line) throws IOException {
    if (line.startsWith(WorkerProcess.WRITE + "\t")) {
      String[] words = line.split("\t", -1);
      if (words.length == 4) {
        boolean accepted =
            ledger.write(worker, words[1], Long.parseLong(words[2]), Long.parseLong(words[3]));
        say(accepted ? WorkerProcess.YES : WorkerProcess.NO);
      }
    } else if (line.equals(WorkerProcess.READY)) {
      ready.complete(true);
    } else {
      try {
        Event event = EventText.parse(line);
        ledger.note(event);
        if (event instanceof Event.Granted || event instanceof Event.Refused) {
          answered.complete(true);
        }
      } catch (IllegalArgumentException e) {
        // Half a line: the process was killed while it wrote.
      }
    }
  }

  private void say(String line) {
    synchronized (toWorker) {
      try {
        toWorker.write(line + "\n");
        toWorker.flush();
      } catch (IOException e) {
        // It is gone.
      }
    }
  }

  @Override
  public void inflict(Fault fault) {
    switch (fault.kind()) {
      case PAUSE -> stopFor(fault.length());
      case CUT -> proxy.ifPresent(FaultProxy::cutAll);
      case SILENCE -> proxy.ifPresent(p -> during(fault.length(), p::fallSilent, p::heal));
      case SLOW_REPLIES ->
        proxy.ifPresent(p -> during(
            fault.length(),
            () -> p.slowDown(Duration.ofMillis(100)),
            () -> p.slowDown(Duration.ZERO)));
      case LOST_REPLIES -> proxy.ifPresent(p -> again(fault.length(), p::loseNextReply));
      case LOST_REQUESTS -> proxy.ifPresent(p -> again(fault.length(), p::loseNextRequest));
      case LATE_REQUESTS -> proxy.ifPresent(p -> p.delayNextRequest(fault.length()));
      case KILL, RESTART, CLOCK, STORE_RESTART ->
        throw new IllegalArgumentException("This is not for a living worker: " + fault.kind());
    }
  }

  /** Lets a shell do it, which wakes the worker even if this process is killed meanwhile. */
  private void stopFor(Duration length) {
    String pid = Long.toString(process.pid());
    String seconds = Double.toString(length.toMillis() / 1000.0);
    try {
      new ProcessBuilder("sh", "-c", "kill -STOP $0 && sleep $1; kill -CONT $0", pid, seconds)
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException("There is no shell to stop a worker with", e);
    }
  }

  private static void during(Duration length, Runnable begin, Runnable end) {
    begin.run();
    CompletableFuture<Void> unused = CompletableFuture.runAsync(
        end, CompletableFuture.delayedExecutor(length.toMillis(), TimeUnit.MILLISECONDS));
  }

  private static void again(Duration length, Runnable loss) {
    daemon("torture-losses", () -> {
          long end = System.nanoTime() + length.toNanos();
          while (System.nanoTime() < end) {
            loss.run();
            try {
              TimeUnit.MILLISECONDS.sleep(BETWEEN_LOSSES_MILLIS);
            } catch (InterruptedException e) {
              return;
            }
          }
        })
        .start();
  }

  @Override
  public void kill() {
    killProcess();
    awaitEnd(END_SECONDS);
    proxy.ifPresent(FaultProxy::close);
  }

  @Override
  public void end() {
    proxy.ifPresent(FaultProxy::heal);
    say(WorkerProcess.STOP);
    if (!awaitEnd(END_SECONDS)) {
      killProcess();
      awaitEnd(END_SECONDS);
    }
    proxy.ifPresent(FaultProxy::close);
  }

  /** Not by {@link Process#destroyForcibly}: that closes the pipe, with the last words of the worker unheard in it. */
  private void killProcess() {
    process.toHandle().destroyForcibly();
  }

  /** Waits until the process is gone and all that it said has been heard. */
  private boolean awaitEnd(long seconds) {
    try {
      boolean ended = process.waitFor(seconds, TimeUnit.SECONDS);
      listener.join(TimeUnit.SECONDS.toMillis(ended ? seconds : 1));
      return ended;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Override
  public boolean isAlive() {
    return process.isAlive();
  }
}
