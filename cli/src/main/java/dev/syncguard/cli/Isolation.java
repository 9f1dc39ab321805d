package dev.syncguard.cli;

import java.util.ArrayList;
import java.util.List;

/**
 * How a command is started so that all of its processes can be reached at once.
 *
 * <p>Java cannot make a process group, so {@code setsid} or else {@code perl} does it in the moment before it becomes
 * the command. At a terminal the command stays in our group instead: only there can it ask for passwords, run an editor,
 * be interrupted and be suspended as usual. Its processes are then found by descent.
 *
 * @param prefix what to put before the command
 * @param ownGroup whether the command leads a process group of its own
 * @param atTerminal whether the terminal itself interrupts the command
 */
record Isolation(List<String> prefix, boolean ownGroup, boolean atTerminal) {

  static Isolation choose(boolean atTerminal, Executables executables) {
    if (atTerminal) {
      return new Isolation(List.of(), false, true);
    }
    if (executables.has("setsid")) {
      return new Isolation(List.of("setsid"), true, false);
    }
    if (executables.has("perl")) {
      return new Isolation(
          List.of(
              "perl", "-e", "setpgrp; exec {$ARGV[0]} @ARGV; exit($!{ENOENT} ? 127 : 126)", "--"),
          true,
          false);
    }
    return new Isolation(List.of(), false, false);
  }

  List<String> wrap(List<String> command) {
    List<String> wrapped = new ArrayList<>(prefix);
    wrapped.addAll(command);
    return wrapped;
  }

  /** Returns whether a signal that we got has to be passed on for the command to get it. */
  boolean forwards(String signal) {
    return !(atTerminal && signal.equals("INT"));
  }
}
