package dev.syncguard.cli;

import dev.syncguard.firestore.server.FirestoreServer;
import dev.syncguard.firestore.server.FirestoreServerBuilder;
import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.auth.Authorizer;
import dev.syncguard.firestore.server.index.IndexFile;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
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
      "There are no security rules yet, so whoever reaches the port may do everything."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  syncguard firestore",
      "  syncguard firestore --port 8080 --data ./firestore-data",
      "  eval \"$(syncguard firestore --port 0 | head -1)\"     # in scripts: any free port"
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
      names = "--indexes",
      paramLabel = "FILE",
      description = "A firestore.indexes.json: exemptions, composite indexes, times to live.")
  private @Nullable Path indexes;

  @Option(
      names = "--strict-indexes",
      description = "Refuse queries for which production would want another index.")
  private boolean strict;

  @Option(
      names = "--host",
      paramLabel = "ADDRESS",
      description =
          "Listen beyond this machine. Everybody who can reach the address may do" + " everything.")
  private @Nullable String host;

  @Override
  public Integer call() {
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
        .authorizer(Authorizer.open());
    try {
      if (data != null) {
        builder.dataDirectory(data);
      }
      if (indexes != null) {
        builder.indexes(IndexFile.parse(Files.readString(indexes)));
      }
      if (host != null) {
        builder.address(InetAddress.getByName(host), host);
      }
      return builder.start();
    } catch (UnknownHostException e) {
      throw wrong("There is no such address to listen on");
    } catch (FirestoreServerException e) {
      throw wrong(String.valueOf(e.getMessage()));
    } catch (IOException e) {
      throw wrong("The file of --indexes cannot be read");
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
    top.output().note("NO SECURITY RULES: every request is allowed. Ctrl-C ends it.");
    top.output()
        .note(
            data == null
                ? "Everything is forgotten at the end; keep it with --data DIR."
                : "Data in " + data);
  }
}
