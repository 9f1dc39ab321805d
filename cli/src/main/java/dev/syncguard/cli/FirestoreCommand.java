package dev.syncguard.cli;

import dev.syncguard.firestore.server.FirestoreServer;
import dev.syncguard.firestore.server.FirestoreServerBuilder;
import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.auth.Authorizer;
import dev.syncguard.firestore.server.auth.RulesFileWatch;
import dev.syncguard.firestore.server.index.IndexConfiguration;
import dev.syncguard.firestore.server.index.IndexFile;
import dev.syncguard.firestore.server.rules.Compilation;
import dev.syncguard.firestore.server.rules.RulesFile;
import dev.syncguard.firestore.server.rules.report.ProblemText;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** Runs the embedded Firestore until somebody ends it. */
@Command(
    name = "firestore",
    sortOptions = false,
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

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "8080",
      description = "The port; 0 takes any that is free (default: ${DEFAULT-VALUE}).")
  private int port;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Keep everything in this directory (default: forget it at the end).")
  private @Nullable Path data;

  @Option(
      names = "--project",
      paramLabel = "PROJECT",
      defaultValue = "demo-syncguard",
      description = "The project to tell clients about; any project is served"
          + " (default: ${DEFAULT-VALUE}).")
  private String project = "";

  @Option(
      names = "--rules",
      paramLabel = "FILE",
      description = "Security rules for all who do not send the token of the administrator."
          + " While a changed file does not compile, the last good rules stay.")
  private @Nullable Path rules;

  @Option(
      names = "--indexes",
      paramLabel = "FILE",
      description = "A firestore.indexes.json: exemptions, composite indexes, times to live"
          + " (default: the one beside the rules, if there is one).")
  private @Nullable Path indexes;

  @Option(
      names = "--strict-indexes",
      description = "Refuse queries for which production would want another index.")
  private boolean strict;

  @Option(
      names = "--host",
      paramLabel = "ADDRESS",
      description =
          "Listen beyond this machine. Without --rules, everybody who can reach the address"
              + " may do everything; with them, only clients on this machine can be the administrator.")
  private @Nullable String host;

  @Option(
      names = "--detach",
      description = "Stay in the background, and return as soon as it serves.")
  private boolean detach;

  @Option(
      names = "--allow-host",
      paramLabel = "NAME",
      description = "Another name that clients reach this machine by, such as that of a container"
          + " or 10.0.2.2. May be given several times.")
  private List<String> hosts = List.of();

  @Option(
      names = "--allow-origin",
      paramLabel = "ORIGIN",
      description = "An origin like https://app.example whose web pages may use the server, also as"
          + " the administrator; those of localhost always may. May be given several times.")
  private List<String> origins = List.of();

  @Option(names = "--describe", description = "Only show what the rules and indexes say, and exit.")
  private boolean describe;

  @Override
  public Integer call() {
    if (describe) {
      FirestoreDescription description = description();
      top.output().answer(description.json(), description.text());
      return ExitCode.DONE;
    }
    if (detach) {
      return startDetached();
    }
    try (Signals signals = Signals.catching(Signals.ENDING);
        FirestoreServer server = start()) {
      server.recoveries().forEach(recovery -> recovery.losses().forEach(top.output()::problem));
      announce(server);
      CompletableFuture<Void> ended = server.stopRequested();
      signals.cancellation().onCancel(() -> ended.complete(null));
      ended.join();
      return ExitCode.DONE;
    }
  }

  private FirestoreServer start() {
    FirestoreServerBuilder builder = FirestoreServer.builder()
        .port(checkedPort())
        .strictIndexes(strict)
        .authorizer(Authorizer.open())
        .administratorFromAnywhere(rules == null)
        .indexes(configuration());
    try {
      if (data != null) {
        builder.dataDirectory(data);
      }
      if (rules != null) {
        requireCompiling(rules);
        builder.rules(rules, this::tell);
      }
      if (host != null) {
        builder.address(InetAddress.getByName(host), host);
      }
      builder.allowHosts(hosts.toArray(String[]::new));
      builder.allowOrigins(origins.toArray(String[]::new));
      return start(builder);
    } catch (IllegalArgumentException e) {
      throw wrong(String.valueOf(e.getMessage()));
    } catch (UnknownHostException e) {
      throw wrong("There is no such address to listen on");
    } catch (FirestoreServerException e) {
      throw wrong(String.valueOf(e.getMessage()));
    }
  }

  private FirestoreServer start(FirestoreServerBuilder builder) throws UnknownHostException {
    try {
      return builder.start();
    } catch (RuntimeException e) {
      if (!(e instanceof FirestoreServerException) && isInUse()) {
        throw wrong("Port " + port + " is in use; try --port 0, or end what uses it");
      }
      throw e;
    }
  }

  /** Asked only after a failure: how that is told depends on the transport. */
  private boolean isInUse() throws UnknownHostException {
    InetAddress address =
        host == null ? InetAddress.getLoopbackAddress() : InetAddress.getByName(host);
    try {
      new ServerSocket(port, 1, address).close();
      return false;
    } catch (IOException e) {
      return true;
    }
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

  private FirestoreDescription description() {
    if (rules != null) {
      requireCompiling(rules);
    }
    return new FirestoreDescription(Optional.ofNullable(rules), indexFile(), configuration());
  }

  private void requireCompiling(Path file) {
    String source = read(file, "--rules");
    Compilation compilation = RulesFile.compile(source);
    if (compilation.rules().isEmpty()) {
      top.output()
          .err()
          .println(new ProblemText(file.toString(), source).of(compilation.problems()));
      throw wrong("The security rules do not compile");
    }
  }

  /** Says what became of a file of rules that was read, now or because it has changed. */
  private void tell(RulesFileWatch.Reload reload) {
    if (!reload.problems().isEmpty()) {
      top.output().err().println(reload.problems());
    }
    top.output()
        .note(
            reload.applied()
                ? "The security rules of " + rules + " hold."
                : "The security rules stay as they were.");
  }

  private IndexConfiguration configuration() {
    return indexFile()
        .map(file -> {
          try {
            return IndexFile.parse(read(file, "--indexes"));
          } catch (FirestoreServerException e) {
            throw wrong(String.valueOf(e.getMessage()));
          }
        })
        .orElse(IndexConfiguration.NONE);
  }

  private Optional<Path> indexFile() {
    return Optional.ofNullable(indexes)
        .or(() -> Optional.ofNullable(rules)
            .map(file -> file.resolveSibling("firestore.indexes.json"))
            .filter(Files::exists));
  }

  private String read(Path file, String option) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw wrong("The file of " + option + " cannot be read");
    }
  }

  private int checkedPort() {
    if (port < 0 || port > 65_535) {
      throw wrong("--port must be between 0 and 65535");
    }
    return port;
  }

  private WrongUsage wrong(String message) {
    return new WrongUsage(spec, ExitCode.WRONG_USAGE, message);
  }

  private void announce(FirestoreServer server) {
    top.output()
        .answer(
            new JsonLine()
                .add("ok", true)
                .add("emulatorHost", server.emulatorHost())
                .add("project", project),
            "export FIRESTORE_EMULATOR_HOST=" + server.emulatorHost() + " GCLOUD_PROJECT="
                + project);
    top.output().note("Firestore is running; the line above is for the shell of your program.");
    if (rules == null) {
      top.output()
          .note("NO SECURITY RULES: every request is allowed. Give it some with --rules FILE.");
    }
    top.output()
        .note(
            data == null
                ? "Ctrl-C ends it. Everything is forgotten then; keep it with --data DIR."
                : "Ctrl-C ends it. Data in " + data);
  }
}
