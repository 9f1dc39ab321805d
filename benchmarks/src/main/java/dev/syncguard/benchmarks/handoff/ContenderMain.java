package dev.syncguard.benchmarks.handoff;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** What a process of a {@link ProcessArena} runs: one contest for each line it reads, until its input ends. */
final class ContenderMain {

  static final String READY = "ready";
  static final String CONTEST = "contest";
  static final String WARM_UP = "warm-up";

  private ContenderMain() {}

  /** Arguments: class of the contender, location of the store, file of the baton, number of the contender. */
  public static void main(String[] args) throws Exception {
    endWithParent();
    BufferedReader commands =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    Baton baton = Baton.in(Path.of(args[2]));
    long number = Long.parseLong(args[3]);
    try (Contender contender = open(args[0], args[1])) {
      contender.warmUp();
      System.out.println(READY);
      String kind;
      while ((kind = commands.readLine()) != null) {
        Duration hold = kind.equals(WARM_UP) ? Duration.ZERO : Turns.HOLD;
        Turns turns = new Turns(contender, baton, number, hold);
        System.out.println(READY);
        System.out.println(turns.take());
      }
    }
  }

  /** A parent that was killed in the middle of a contest says nothing more. */
  private static void endWithParent() {
    ProcessHandle.current().parent().ifPresent(parent -> {
      CompletableFuture<Void> unused =
          parent.onExit().thenRun(() -> Runtime.getRuntime().halt(1));
    });
  }

  private static Contender open(String className, String location) throws Exception {
    return Class.forName(className)
        .asSubclass(Contender.class)
        .getConstructor(String.class)
        .newInstance(location);
  }
}
