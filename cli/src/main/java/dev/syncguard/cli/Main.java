package dev.syncguard.cli;

/** Starts the program. */
public final class Main {

  private Main() {}

  /** Runs one command and exits with its code. */
  public static void main(String[] args) {
    System.exit(Program.run(Surroundings.ofThisProcess(), args));
  }
}
