package dev.syncguard.cli;

import dev.syncguard.console.Console;
import dev.syncguard.console.ConsoleServer;
import dev.syncguard.lock.spi.LockBackend;
import java.net.URI;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** Serves a web page about the locks of a store, a Firestore, or both. */
@Command(
    name = "console",
    sortOptions = false,
    description = {
      "Serves a local web page about locks, a Firestore, or both, until Ctrl-C.",
      "It shows who holds which lock, who waits, and what a Firestore does. Its address, which"
          + " is printed, contains a secret."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  syncguard console",
      "  syncguard console --store redis://localhost:6379 --admin",
      "  syncguard console --firestore 127.0.0.1:8080",
      "",
      "Processes can tell the console what they do, by hashes: set SYNCGUARD_TELEMETRY",
      "to the second address that it prints, for this program's commands, or hand it",
      "to ConsoleTelemetry in a program of your own."
    })
final class ConsoleCommand implements Callable<Integer> {

  @ParentCommand
  @SuppressWarnings("NullAway.Init") // The parser sets it.
  private Syncguard top;

  @Spec
  @SuppressWarnings("NullAway.Init") // The parser sets it.
  private CommandSpec spec;

  @Option(
      names = "--firestore",
      paramLabel = "HOST:PORT",
      description = "Also show this Firestore: the embedded one, or another emulator. Without"
          + " --store, show nothing else.")
  private @Nullable String firestore;

  @Option(
      names = "--project",
      paramLabel = "PROJECT",
      defaultValue = "demo-syncguard",
      description = "The project of the Firestore (default: ${DEFAULT-VALUE}).")
  private String project = "";

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "0",
      description = "The port; 0 takes any that is free (default: ${DEFAULT-VALUE}).")
  private int port;

  @Option(
      names = "--admin",
      description = "Let the page end leases of others, after the key has been typed.")
  private boolean admin;

  @Option(
      names = "--raw",
      description = "Show the names of keys, too. Without it the page shows hashes, and reveals a"
          + " name when asked to.")
  private boolean raw;

  @Override
  public Integer call() {
    if (port < 0 || port > 65_535) {
      throw wrong("--port must be between 0 and 65535");
    }
    Console.Builder builder = Console.builder().admin(admin).raw(raw);
    if (firestore != null) {
      builder.firestore(address(firestore), project);
    }
    if (firestore != null && !top.isStoreGiven()) {
      return serve(builder, false);
    }
    // Unlike other commands that look, this one waits for locks to come: it creates what is
    // missing.
    try (LockBackend backend = top.open(Stores.Purpose.WRITE)) {
      return serve(builder.locks(backend, top.storeLabel(backend)), true);
    }
  }

  private int serve(Console.Builder builder, boolean withLocks) {
    try (Signals signals = Signals.catching(Signals.ENDING);
        ConsoleServer server = start(builder)) {
      JsonLine json = new JsonLine().add("ok", true).add("console", server.address());
      if (withLocks) {
        json.add("telemetry", server.telemetryAddress().toString());
      }
      top.output().answer(json, server.address());
      top.output().note("Open the address above in a browser. Whoever has it can use the console.");
      if (withLocks) {
        top.output()
            .note("To let programs tell what they do: export SYNCGUARD_TELEMETRY='"
                + server.telemetryAddress() + "'");
      }
      top.output().note("Ctrl-C ends it.");
      var ended = new CompletableFuture<Void>();
      signals.cancellation().onCancel(() -> ended.complete(null));
      ended.join();
      return ExitCode.DONE;
    }
  }

  private ConsoleServer start(Console.Builder builder) {
    Console console = builder.build();
    try {
      return ConsoleServer.start(console, port);
    } catch (RuntimeException e) {
      console.close();
      throw wrong("Port " + port + " is in use, or this user may not open it; try --port 0");
    }
  }

  private URI address(String given) {
    return Optional.of(given)
        .filter(text -> text.matches("[A-Za-z0-9._-]+:\\d{1,5}|\\[[0-9a-fA-F:]+]:\\d{1,5}"))
        .map(text -> URI.create("http://" + text))
        .orElseThrow(() -> wrong("--firestore needs HOST:PORT, as in FIRESTORE_EMULATOR_HOST"));
  }

  private WrongUsage wrong(String message) {
    return new WrongUsage(spec, ExitCode.WRONG_USAGE, message);
  }
}
