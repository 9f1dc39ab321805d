package dev.syncguard.cli;

import dev.syncguard.lock.spi.LockBackend;
import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** A command that asks the store something and prints the answer. */
abstract class StoreCommand implements Callable<Integer> {

  @ParentCommand
  @SuppressWarnings("NullAway.Init") // The parser sets it.
  private Syncguard top;

  @Spec
  @SuppressWarnings("NullAway.Init") // The parser sets it.
  private CommandSpec spec;

  /** What a command wants from the store. */
  interface Question {
    /** Asks the store, prints the answer, and returns the exit code. */
    int ask(LockBackend backend);
  }

  @Override
  public final Integer call() {
    Question question = prepare();
    try (LockBackend backend = top.open(purpose())) {
      return question.ask(backend);
    }
  }

  /** Returns whether the command needs a store that is there; one that only looks creates nothing. */
  Stores.Purpose purpose() {
    return Stores.Purpose.WRITE;
  }

  /** Reads the arguments, and throws if they are wrong; nothing has been opened yet. */
  abstract Question prepare();

  final Output output() {
    return top.output();
  }

  final Surroundings surroundings() {
    return top.surroundings();
  }

  final WrongUsage wrong(String message) {
    return wrong(ExitCode.WRONG_USAGE, message);
  }

  final WrongUsage wrong(int exitCode, String message) {
    return new WrongUsage(spec, exitCode, message);
  }
}
