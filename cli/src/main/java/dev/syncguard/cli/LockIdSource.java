package dev.syncguard.cli;

import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockId;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where a command finds the lock id, which is a secret: not necessarily in its arguments, which all users can see. */
final class LockIdSource {

  static final String VARIABLE = "SYNCGUARD_LOCK_ID";

  @Option(
      names = "--lock-id",
      paramLabel = "ID",
      description = "The lock id; - reads it from standard input. Default: $SYNCGUARD_LOCK_ID.")
  private @Nullable String option;

  /** Returns whether an option says which lock id is meant. */
  boolean isGiven() {
    return option != null;
  }

  /** Returns the lock id from the argument, the option or the environment, whichever comes first. */
  Optional<LockId> find(@Nullable String argument, Surroundings surroundings) {
    String given = argument == null ? option : argument;
    if (given == null) {
      given = surroundings.variable(VARIABLE);
    }
    if (given.isEmpty()) {
      return Optional.empty();
    }
    String text = given.equals("-") ? firstLine(surroundings) : given;
    if (!LockId.isValid(text)) {
      throw LockException.invalidArgument("That is not a lock id; it looks like a key. Nothing was"
          + " changed. Give the lock id that acquire printed, 22 letters, digits, - or _");
    }
    return Optional.of(LockId.parse(text));
  }

  private static @Nullable String firstLine(Surroundings surroundings) {
    try {
      String line = new BufferedReader(
              new InputStreamReader(surroundings.in(), StandardCharsets.US_ASCII))
          .readLine();
      return line == null ? null : line.strip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
