package dev.syncguard.cli;

import dev.syncguard.firestore.server.FirestoreServer;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** Runs the embedded Firestore until somebody ends it. */
@Command(
    name = "firestore",
    sortOptions = false,
    subcommands = FirestoreExecCommand.class,
    description = {
      "Runs a Firestore on this machine, for gRPC and REST on one port, until Ctrl-C.",
      "Without --rules, whoever reaches the port may do everything."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  syncguard firestore",
      "  syncguard firestore --port 8080 --data ./firestore-data",
      "  syncguard firestore --rules firestore.rules           # read again when it changes",
      "  syncguard firestore --rules firestore.rules --describe",
      "  syncguard firestore --firebase firebase.json          # ports, rules and indexes of a project",
      "  syncguard firestore --import ./seed --export-on-exit  # as the official emulator has them",
      "  syncguard firestore exec --port 0 -- npm test         # for as long as a command runs",
      "",
      "In scripts, on any free port; it stays when the script ends unless you end it:",
      "  eval \"$(syncguard firestore --port 0 --detach)\"",
      "  kill $SYNCGUARD_FIRESTORE_PID"
    })
final class FirestoreCommand implements Callable<Integer> {

  @ParentCommand
  @SuppressWarnings("NullAway.Init") // The parser sets it.
  private Syncguard top;

  @Spec
  @SuppressWarnings("NullAway.Init") // The parser sets it.
  private CommandSpec spec;

  @Mixin
  private final FirestoreServerOptions options = new FirestoreServerOptions();

  @Option(
      names = "--detach",
      description = "Stay in the background, and return as soon as it serves.")
  private boolean detach;

  @Option(
      names = "--no-console",
      description = "Do not serve the console, a web page about this Firestore for this machine.")
  private boolean withoutConsole;

  @Option(names = "--describe", description = "Only show what the rules and indexes say, and exit.")
  private boolean describe;

  @Override
  public Integer call() {
    if (describe) {
      FirestoreDescription description = options.description(top.output());
      top.output().answer(description.json(), description.text());
      return ExitCode.DONE;
    }
    if (detach) {
      return startDetached();
    }
    try (Signals signals = Signals.catching(Signals.ENDING);
        FirestoreServer server = options.start(top.output(), !withoutConsole);
        FirestoreConsole console =
            FirestoreConsole.over(server, options.project(), !withoutConsole)) {
      server.recoveries().forEach(recovery -> recovery.losses().forEach(top.output()::problem));
      announce(server, console);
      CompletableFuture<Void> ended = server.stopRequested();
      signals.cancellation().onCancel(() -> ended.complete(null));
      ended.join();
      return FinalExport.of(options, server, top.output()) ? ExitCode.DONE : ExitCode.UNAVAILABLE;
    }
  }

  Syncguard top() {
    return top;
  }

  FirestoreServerOptions options() {
    return options;
  }

  private int startDetached() {
    List<String> all = spec.root().commandLine().getParseResult().originalArgs();
    List<String> others = all.stream().filter(word -> !word.equals("--detach")).toList();
    Executables executables = new Executables(top.surroundings().variable("PATH"));
    try {
      Detached server = Detached.start(all, others, executables);
      String line = server.announcement();
      top.surroundings()
          .out()
          .println(
              top.output().json()
                  ? line.replaceFirst("}$", ",\"pid\":" + server.pid() + "}")
                  : line + " SYNCGUARD_FIRESTORE_PID=" + server.pid());
      return ExitCode.DONE;
    } catch (IOException e) {
      top.output().problem("The server was not started in the background");
      return ExitCode.UNAVAILABLE;
    }
  }

  private void announce(FirestoreServer server, FirestoreConsole console) {
    top.output()
        .answer(
            console.describe(new JsonLine()
                .add("ok", true)
                .add("emulatorHost", server.emulatorHost())
                .add("project", options.project())),
            "export FIRESTORE_EMULATOR_HOST=" + server.emulatorHost() + " GCLOUD_PROJECT="
                + options.project());
    top.output().note("Firestore is running; the line above is for the shell of your program.");
    if (options.rules().isEmpty()) {
      top.output()
          .note("NO SECURITY RULES: every request is allowed. Give it some with --rules FILE.");
    }
    console.note(top.output());
    top.output()
        .note(options
            .data()
            .map(data -> "Ctrl-C ends it. Data in " + data)
            .orElse("Ctrl-C ends it. Everything is forgotten then; keep it with --data DIR."));
  }
}
