package dev.syncguard.cli;

import dev.syncguard.firestore.server.FirestoreServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** Runs a Firestore for as long as a command runs. */
@Command(
    name = "exec",
    sortOptions = false,
    customSynopsis = "syncguard firestore exec [OPTIONS] -- COMMAND [ARGUMENT...]",
    description = {
      "Starts a Firestore, runs a command that finds it in its environment, and exits with its exit code.",
      "Signals are passed on to the command; the Firestore ends after it."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  syncguard firestore exec --port 0 -- npm test",
      "  syncguard firestore exec --firebase firebase.json --import ./seed -- npm test",
      "  syncguard firestore exec --only firestore 'npm test && npm run lint'",
      "",
      "The command finds FIRESTORE_EMULATOR_HOST, FIREBASE_FIRESTORE_EMULATOR_ADDRESS,",
      "GCLOUD_PROJECT and FIREBASE_CONFIG, as the tools of Firebase set them.",
      "",
      "Exit codes: that of the command, 128+n if signal n ended it; 126 and 127 as in a",
      "shell; 69 if the command was fine but --export-on-exit was not."
    })
final class FirestoreExecCommand implements Callable<Integer> {

  @ParentCommand
  @SuppressWarnings("NullAway.Init") // The parser sets it.
  private FirestoreCommand firestore;

  @Spec
  @SuppressWarnings("NullAway.Init") // The parser sets it.
  private CommandSpec spec;

  @Parameters(
      arity = "1..*",
      paramLabel = "COMMAND",
      description = "What to run, with its arguments.")
  private List<String> command = List.of();

  @Override
  public Integer call() {
    Syncguard top = firestore.top();
    Executables executables = new Executables(top.surroundings().variable("PATH"));
    if (isScript(executables)) {
      command = List.of("sh", "-c", command.get(0));
    }
    requireExecutable(executables);
    FirestoreServerOptions options = firestore.options();
    try (Signals signals = Signals.catching(Signals.ALL);
        FirestoreServer server = options.start(top.output(), false)) {
      server.recoveries().forEach(recovery -> recovery.losses().forEach(top.output()::problem));
      int exitCode = run(environment(server, options.project()), signals);
      boolean exported = FinalExport.of(options, server, top.output());
      return exitCode == ExitCode.DONE && !exported ? ExitCode.UNAVAILABLE : exitCode;
    } catch (IOException e) {
      top.output().problem("The command to run could not be started");
      return ExitCode.NOT_EXECUTABLE;
    } catch (InterruptedException e) {
      throw new IllegalStateException("Nobody interrupts the main thread", e);
    }
  }

  /** Returns whether the command is one text for a shell, as {@code firebase emulators:exec} takes it. */
  private boolean isScript(Executables executables) {
    return command.size() == 1
        && command.get(0).contains(" ")
        && executables.find(command.get(0)).isEmpty();
  }

  private void requireExecutable(Executables executables) {
    Optional<Path> program = executables.find(command.get(0));
    if (program.isEmpty()) {
      throw new WrongUsage(spec, ExitCode.NOT_FOUND, "There is no such command to run");
    }
    if (!Files.isExecutable(program.get())) {
      throw new WrongUsage(spec, ExitCode.NOT_EXECUTABLE, "The command to run is not executable");
    }
  }

  private static Map<String, String> environment(FirestoreServer server, String project) {
    return Map.of(
        "FIRESTORE_EMULATOR_HOST", server.emulatorHost(),
        "FIREBASE_FIRESTORE_EMULATOR_ADDRESS", server.emulatorHost(),
        "GCLOUD_PROJECT", project,
        "FIREBASE_CONFIG", new JsonLine().add("projectId", project).toString());
  }

  private int run(Map<String, String> environment, Signals signals)
      throws IOException, InterruptedException {
    boolean atTerminal = Terminal.isStandardInput();
    ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
    builder.environment().putAll(environment);
    Process process = builder.start();
    signals.handTo(signal -> {
      // At a terminal, Ctrl-C reaches the command without our help; twice would be once too often.
      if (!(atTerminal && signal.equals("INT"))) {
        send(signal, process.pid());
      }
    });
    return process.waitFor();
  }

  private static void send(String signal, long pid) {
    try {
      var unused = new ProcessBuilder("kill", "-s", signal, Long.toString(pid)).start();
    } catch (IOException e) {
      // Then there is no such program; the command goes on until it ends by itself.
    }
  }
}
