package com.example.leader;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Ends leaders, by force and in order, and measures how long nobody leads. */
public final class Failover {

  private final Path file;
  private final List<Process> nodes = new ArrayList<>();

  private Failover(Path file) {
    this.file = file;
  }

  public static void main(String[] arguments) throws Exception {
    Path directory = Files.createDirectories(Path.of("target", "leader"));
    Failover failover = new Failover(directory.resolve("locks.db"));
    try {
      failover.run();
    } finally {
      failover.nodes.forEach(Process::destroy);
    }
  }

  private void run() throws Exception {
    Process first = start();
    awaitAndPrint("first", first.inputReader(), "leads");

    Process second = start();
    BufferedReader fromSecond = second.inputReader();
    awaitLine(fromSecond, "stands");
    System.out.println("first is killed");
    long killed = System.nanoTime();
    first.destroyForcibly();
    awaitAndPrint("second", fromSecond, "leads");
    printSince(killed);

    Process third = start();
    BufferedReader fromThird = third.inputReader();
    awaitLine(fromThird, "stands");
    System.out.println("second is told to end");
    long told = System.nanoTime();
    // By its handle, which leaves what it still says readable.
    second.toHandle().destroy();
    awaitAndPrint("second", fromSecond, "has stopped");
    awaitAndPrint("third", fromThird, "leads");
    printSince(told);
  }

  private Process start() throws IOException {
    Process node = new ProcessBuilder(
            "java", "-cp", System.getProperty("java.class.path"), Node.class.getName(), file.toString())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
    nodes.add(node);
    return node;
  }

  private static void awaitAndPrint(String node, BufferedReader from, String what) throws IOException {
    System.out.println(node + " " + awaitLine(from, what));
  }

  private static String awaitLine(BufferedReader from, String what) throws IOException {
    String line = from.readLine();
    while (line != null && !line.startsWith(what)) {
      line = from.readLine();
    }
    if (line == null) {
      throw new IllegalStateException("The node ended before it said that it " + what);
    }
    return line;
  }

  private static void printSince(long nanos) {
    System.out.println("  after " + Duration.ofNanos(System.nanoTime() - nanos).toMillis() + " ms");
  }
}
