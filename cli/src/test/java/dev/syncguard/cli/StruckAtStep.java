package dev.syncguard.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;

/** The program, which sends itself a signal when it reaches its n-th step. */
final class StruckAtStep {

  /** So many looks at the lease it allows before it lets the command end. */
  private static final int LOOKS = 3;

  private StruckAtStep() {}

  /** Arguments: the signal, the number of the step, then those of the program. */
  public static void main(String[] args) {
    String signal = args[0];
    int fatal = Integer.parseInt(args[1]);
    AtomicInteger steps = new AtomicInteger();
    AtomicInteger looks = new AtomicInteger();
    Surroundings real = Surroundings.ofThisProcess();
    Surroundings struck =
        new Surroundings(real.in(), real.out(), real.err(), real.variables(), step -> {
          if (step.equals("confirmed") && looks.incrementAndGet() == LOOKS) {
            write("finish", "");
          }
          if (steps.incrementAndGet() == fatal) {
            write("struck", step);
            strike(signal);
          }
        });
    System.exit(Program.run(struck, Arrays.copyOfRange(args, 2, args.length)));
  }

  private static void write(String file, String text) {
    try {
      Path next = Files.writeString(Path.of(file + ".next"), text);
      Files.move(next, Path.of(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void strike(String signal) {
    try {
      String self = Long.toString(ProcessHandle.current().pid());
      new ProcessBuilder("bash", "-c", "kill -s " + signal + " " + self).start().waitFor();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
