package dev.syncguard.cli;

import dev.syncguard.firestore.server.FirestoreServer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
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
    subcommands = {FirestoreExecCommand.class, FirestoreJarCommand.class},
    description = {
      "Runs a Firestore on this machine, for gRPC and REST on one port, until Ctrl-C.",
      "Without --rules, whoever reaches the port may do everything."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  syncguard firestore",
      "  syncguard firestore --port 8080 --data ./firestore-data",
      "  syncguard firestore --rules firestore.rules      # read again if changed",
      "  syncguard firestore --rules firestore.rules --describe",
      "  syncguard firestore --firebase firebase.json     # its ports, rules, indexes",
      "  syncguard firestore --import ./seed --export-on-exit",
      "  syncguard firestore exec --port 0 -- npm test    # as long as it runs",
      "",
      "In scripts, on any free port; it stays when the script ends unless you end it:",
      "  eval \"$(syncguard firestore --port 0 --detach)\"",
      "  kill $SYNCGUARD_FIRESTORE_PID"
    })
final class FirestoreCommand implements Callable<Integer> {

  /** A reader who is still there after this long is taken to stay. */
  private static final Duration READER_STAYS = Duration.ofSeconds(30);

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
    AtomicBoolean abandoned = new AtomicBoolean();
    int port;
    try (Signals signals = Signals.catching(Signals.ENDING);
        FirestoreServer server = options.start(top.output(), !withoutConsole);
        FirestoreConsole console =
            FirestoreConsole.over(server, options.project(), !withoutConsole)) {
      server.recoveries().forEach(recovery -> recovery.losses().forEach(top.output()::problem));
      port = server.port();
      CompletableFuture<Void> ended = server.stopRequested();
      signals.cancellation().onCancel(() -> ended.complete(null));
      announce(server, console);
      watchedOutput()
          .ifPresent(output -> output.whenAbandoned(READER_STAYS, () -> {
            abandoned.set(true);
            ended.complete(null);
          }));
      ended.join();
      if (!abandoned.get()) {
        return FinalExport.of(options, server, top.output()) ? ExitCode.DONE : ExitCode.UNAVAILABLE;
      }
    }
    return continueInBackground(port);
  }

  private Optional<OutputPipe> watchedOutput() {
    return top.surroundings().variable(Detached.VARIABLE).isEmpty()
        ? OutputPipe.of(top.surroundings().out())
        : Optional.empty();
  }

  /** For {@code eval "$(syncguard firestore --port 0 | head -1)"}: the shell goes on when we have ended. */
  private int continueInBackground(int port) {
    List<String> all = spec.root().commandLine().getParseResult().originalArgs();
    List<String> samePort = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      if (all.get(i).equals("--port")) {
        i++;
      } else if (!all.get(i).startsWith("--port=")) {
        samePort.add(all.get(i));
      }
    }
    samePort.add("--port=" + port);
    try {
      Detached server =
          Detached.start(all, samePort, true, new Executables(top.surroundings().variable("PATH")));
      top.output()
          .note(
              "Nobody reads this output any more, so the server went to the background. To end it: kill "
                  + server.pid());
      return ExitCode.DONE;
    } catch (IOException e) {
      top.output().problem("The server was not started in the background");
      return ExitCode.UNAVAILABLE;
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
      Detached server = Detached.start(all, others, false, executables);
      String line = server.announcement();
      top.surroundings()
          .out()
          .println(
              top.output().json()
                  ? line.replaceFirst("}$", ",\"pid\":" + server.pid() + "}")
                  : line + " SYNCGUARD_FIRESTORE_PID=" + server.pid());
      return ExitCode.DONE;
    } catch (Detached.EndedEarly e) {
      if (!e.answer().isEmpty()) {
        top.surroundings().out().println(e.answer());
      }
      return e.exitCode();
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
    String detached = top.surroundings().variable(Detached.VARIABLE);
    if (detached.equals(Detached.SUCCESSOR)) {
      console.note(top.output()); // All but this address stays as the one before has said.
      return;
    }
    top.output().note("Firestore is running; the line above is for the shell of your program.");
    if (options.rules().isEmpty()) {
      top.output()
          .note("NO SECURITY RULES: every request is allowed. Give it some with --rules FILE.");
    }
    console.note(top.output());
    String ending = detached.isEmpty() ? "Ctrl-C ends it. " : "";
    top.output()
        .note(options
            .data()
            .map(data -> ending + "Data in " + data)
            .orElse(ending + "Everything is forgotten when it ends; keep it with --data DIR."));
  }
}
