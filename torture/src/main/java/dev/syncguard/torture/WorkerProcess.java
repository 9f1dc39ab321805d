package dev.syncguard.torture;

import dev.syncguard.lock.LockException;
import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.torture.history.EventText;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The life of a worker in a process of its own.
 *
 * <p>It tells its events on standard output, one a line. A line that begins with {@link #WRITE} asks for the resource, and is
 * answered on standard input. It ends when it reads {@link #STOP}, and also when there is nothing to read any more: then whoever
 * started it is gone.
 */
public final class WorkerProcess {

  static final String WRITE = "write";
  static final String YES = "yes";
  static final String NO = "no";
  static final String STOP = "stop";
  static final String READY = "ready";

  private static final long ANSWER_SECONDS = 600;
  private static final long RETRY_MILLIS = 200;

  private final PrintStream out;
  private final BufferedReader in;
  private final BlockingQueue<String> answers = new ArrayBlockingQueue<>(4);
  private final Object oneAtATime = new Object();
  private volatile boolean stopped;

  private WorkerProcess(InputStream in, PrintStream out) {
    this.in = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
    this.out = out;
  }

  /** Works until it is told to stop. The words are those that {@link ProcessCrew} added to the command line. */
  public static void run(
      List<String> words, Supplier<LockBackend> store, InputStream in, PrintStream out) {
    new WorkerProcess(in, out).work(Task.parse(words), store);
  }

  private void work(Task task, Supplier<LockBackend> store) {
    try (LockBackend backend = open(store)) {
      say(READY);
      WorkGroup group =
          WorkGroup.start(task, backend, event -> say(EventText.of(event)), this::write);
      try {
        for (String line = in.readLine();
            line != null && !line.equals(STOP);
            line = in.readLine()) {
          answers.add(line);
        }
      } catch (IOException e) {
        // Whoever started us is gone.
      }
      stopped = true;
      answers.add(NO);
      group.end();
    }
  }

  /** A worker may be started while the store is away; whoever started it gives up in time if that does not pass. */
  private static LockBackend open(Supplier<LockBackend> store) {
    while (true) {
      try {
        return store.get();
      } catch (LockException e) {
        if (!e.isRetryable()) {
          throw e;
        }
      }
      try {
        TimeUnit.MILLISECONDS.sleep(RETRY_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void say(String line) {
    synchronized (out) {
      out.println(line);
      out.flush();
    }
  }

  private boolean write(int worker, String key, long attempt, long fence) {
    synchronized (oneAtATime) {
      if (stopped) {
        return false; // Nobody listens for answers any more.
      }
      say(String.join("\t", WRITE, key, Long.toString(attempt), Long.toString(fence)));
      try {
        return YES.equals(answers.poll(ANSWER_SECONDS, TimeUnit.SECONDS));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
    }
  }
}
