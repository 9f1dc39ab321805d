package dev.syncguard.cli;

import dev.syncguard.firestore.server.FirestoreServer;
import dev.syncguard.firestore.server.FirestoreServerBuilder;
import dev.syncguard.firestore.server.FirestoreServerException;
import dev.syncguard.firestore.server.auth.Authorizer;
import dev.syncguard.firestore.server.auth.RulesFileWatch;
import dev.syncguard.firestore.server.index.IndexConfiguration;
import dev.syncguard.firestore.server.index.IndexFile;
import dev.syncguard.firestore.server.trigger.DocumentEvent;
import dev.syncguard.firestore.server.trigger.Webhook;
import dev.syncguard.rules.Compilation;
import dev.syncguard.rules.RulesFile;
import dev.syncguard.rules.report.ProblemText;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The options of a Firestore that is about to start, and what they come to together with the files they name. */
final class FirestoreServerOptions {
  private static final int DEFAULT_PORT = 8080;
  private static final String DEFAULT_PROJECT = "demo-syncguard";

  @Spec(Spec.Target.MIXEE)
  @SuppressWarnings("NullAway.Init") // The parser sets it.
  private CommandSpec spec;

  @Option(
      names = "--port",
      scope = ScopeType.INHERIT,
      paramLabel = "PORT",
      description = "The port; 0 takes any that is free (default: that of --firebase, or 8080).")
  private @Nullable Integer chosenPort;

  @Option(
      names = "--data",
      scope = ScopeType.INHERIT,
      paramLabel = "DIR",
      description = "Keep everything in this directory (default: forget it at the end).")
  private @Nullable Path data;

  @Option(
      names = {"--project", "-P"},
      scope = ScopeType.INHERIT,
      paramLabel = "PROJECT",
      description = "The project to tell clients about, and to export; any project is served"
          + " (default: that of .firebaserc beside --firebase, or demo-syncguard).")
  private @Nullable String chosenProject;

  @Option(
      names = "--rules",
      scope = ScopeType.INHERIT,
      paramLabel = "FILE",
      description = "Security rules for all who do not send the token of the administrator."
          + " While a changed file does not compile, the last good rules stay.")
  private @Nullable Path chosenRules;

  @Option(
      names = "--indexes",
      scope = ScopeType.INHERIT,
      paramLabel = "FILE",
      description = "A firestore.indexes.json: exemptions, composite indexes, TTL policies"
          + " (default: the one beside the rules, if there is one).")
  private @Nullable Path chosenIndexes;

  @Option(
      names = "--strict-indexes",
      scope = ScopeType.INHERIT,
      description = "Refuse queries for which production would want another index.")
  private boolean strict;

  @Option(
      names = "--host",
      scope = ScopeType.INHERIT,
      paramLabel = "ADDRESS",
      description =
          "Listen beyond this machine. Without --rules, everybody who can reach the address"
              + " may do everything; with them, only clients on this machine can be the administrator.")
  private @Nullable String chosenHost;

  @Option(
      names = "--allow-host",
      scope = ScopeType.INHERIT,
      paramLabel = "NAME",
      description = "Another name that clients reach this machine by, such as that of a container."
          + " May be given several times.")
  private List<String> hosts = List.of();

  @Option(
      names = "--allow-origin",
      scope = ScopeType.INHERIT,
      paramLabel = "ORIGIN",
      description = "An origin like https://app.example whose web pages may use the server, also as"
          + " the administrator; those of localhost always may. May be given several times.")
  private List<String> origins = List.of();

  @Option(
      names = {"--firebase", "--config", "-c"},
      scope = ScopeType.INHERIT,
      paramLabel = "FILE",
      description =
          "A firebase.json: host, port, rules and indexes are taken from it, for each of its"
              + " databases, unless they are given here.")
  private @Nullable Path firebase;

  @Option(
      names = "--only",
      scope = ScopeType.INHERIT,
      paramLabel = "EMULATORS",
      description = "Accepted from scripts for the tools of Firebase; must name firestore alone.")
  private @Nullable String only;

  @Option(
      names = "--import",
      scope = ScopeType.INHERIT,
      paramLabel = "DIR",
      description =
          "Begin with an export of the official emulator, of production, or of this program.")
  private @Nullable Path importFrom;

  @Option(
      names = "--export-on-exit",
      scope = ScopeType.INHERIT,
      arity = "0..1",
      fallbackValue = "",
      paramLabel = "DIR",
      description =
          "At the end, write the default database of the project there, in the format of the"
              + " official emulator (default: where it was imported from).")
  private @Nullable String exportTo;

  @Option(
      names = "--trigger",
      scope = ScopeType.INHERIT,
      paramLabel = "PATH=URL",
      description =
          "Send what happens to documents of a path, like orders/{id}, to an address on this"
              + " machine, as CloudEvents. May be given several times.")
  private List<String> triggers = List.of();

  @Option(
      names = "--functions",
      scope = ScopeType.INHERIT,
      paramLabel = "HOST:PORT",
      description =
          "Where the functions emulator of Firebase's tools is; it registers its functions"
              + " by itself, and they are run when documents change.")
  private @Nullable String functions;

  private @Nullable FirebaseJson read;

  /** Returns what the firebase.json says, or nothing at all if there is none. */
  private FirebaseJson file() {
    FirebaseJson known = read;
    if (known == null) {
      try {
        known = firebase == null
            ? new FirebaseJson(Optional.empty(), Optional.empty(), Optional.empty(), List.of())
            : FirebaseJson.read(firebase.toAbsolutePath());
      } catch (FirebaseJson.Unreadable e) {
        throw wrong(String.valueOf(e.getMessage()));
      }
      read = known;
    }
    return known;
  }

  String project() {
    return Optional.ofNullable(chosenProject).or(() -> file().project()).orElse(DEFAULT_PROJECT);
  }

  private int port() {
    int port = Optional.ofNullable(chosenPort).or(() -> file().port()).orElse(DEFAULT_PORT);
    if (port < 0 || port > 65_535) {
      throw wrong("--port must be between 0 and 65535");
    }
    return port;
  }

  private Optional<String> host() {
    return Optional.ofNullable(chosenHost).or(() -> file().host());
  }

  /** Returns the rules of the default database. Like the tools of Firebase, we take a file that is missing for none. */
  Optional<Path> rules() {
    return Optional.ofNullable(chosenRules)
        .or(() ->
            file().defaultDatabase().flatMap(FirebaseJson.Database::rules).filter(Files::exists));
  }

  /** Returns the databases that have rules of their own beside the default one. */
  private List<FirebaseJson.Database> others() {
    return file().databases().stream()
        .filter(each -> !each.id().equals("(default)"))
        .filter(each -> each.rules().filter(Files::exists).isPresent())
        .toList();
  }

  /** Says what would otherwise be noticed only by whom the rules should have kept out. */
  private void warnOfMissingRules(Output output) {
    for (FirebaseJson.Database each : file().databases()) {
      each.rules()
          .filter(file -> chosenRules == null && !Files.exists(file))
          .ifPresent(file -> output
              .err()
              .println("WARNING: " + file + " does not exist, so database " + each.id()
                  + " has no rules of its own."));
    }
  }

  Optional<Path> data() {
    return Optional.ofNullable(data);
  }

  /** Returns where to export to at the end, if that is asked for. */
  Optional<Path> exportDirectory() {
    if (exportTo == null) {
      return Optional.empty();
    }
    if (!exportTo.isEmpty()) {
      return Optional.of(Path.of(exportTo));
    }
    if (importFrom == null) {
      throw wrong("--export-on-exit needs a directory, unless --import has one");
    }
    return Optional.of(importFrom);
  }

  FirestoreServer start(Output output, boolean requestLog) {
    exportDirectory(); // refused now rather than at the end
    if (only != null && !only.matches("firestore(:[^,]*)?")) {
      throw wrong("Only Firestore is emulated here; write --only firestore, or leave it out");
    }
    FirestoreServerBuilder builder = FirestoreServer.builder()
        .port(port())
        .strictIndexes(strict)
        .requestLog(requestLog)
        .authorizer(Authorizer.open())
        .administratorFromAnywhere(rules().isEmpty() && others().isEmpty())
        .indexes(configuration());
    warnOfMissingRules(output);
    try {
      data().ifPresent(builder::dataDirectory);
      if (importFrom != null) {
        builder.importFrom(importFrom);
      }
      rules().ifPresent(file -> {
        requireCompiling(file, output);
        builder.rules(file, reload -> tell(file, reload, output));
      });
      for (FirebaseJson.Database other : file().databases()) {
        other
            .indexes()
            .filter(file -> chosenIndexes == null && Files.exists(file))
            .ifPresent(file -> builder.indexes(other.id(), parsed(file)));
      }
      for (FirebaseJson.Database other : others()) {
        Path file = other.rules().orElseThrow();
        requireCompiling(file, output);
        builder.rules(other.id(), file, reload -> tell(file, reload, output));
      }
      if (host().isPresent()) {
        builder.address(InetAddress.getByName(host().get()), host().get());
      }
      triggers.forEach(trigger -> add(trigger, builder));
      if (functions != null) {
        builder.functionsEmulator(URI.create("http://" + functions));
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

  private static void add(String trigger, FirestoreServerBuilder builder) {
    String[] parts = trigger.split("=(?=https?://)", 2);
    if (parts.length < 2) {
      throw new IllegalArgumentException(
          "--trigger is like 'orders/{id}=http://127.0.0.1:5001/path', but was " + trigger);
    }
    DocumentEvent.Kind kind = DocumentEvent.Kind.WRITTEN;
    builder.onDocument(
        kind, parts[0], Webhook.local(URI.create(parts[1]), kind, Webhook.Mode.BINARY));
  }

  private FirestoreServer start(FirestoreServerBuilder builder) throws UnknownHostException {
    try {
      return builder.start();
    } catch (RuntimeException e) {
      if (!(e instanceof FirestoreServerException) && isInUse()) {
        throw wrong("Port " + port() + " is in use; try --port 0, or end what uses it");
      }
      throw e;
    }
  }

  /** Asked only after a failure: how that is told depends on the transport. */
  private boolean isInUse() throws UnknownHostException {
    InetAddress address =
        host().isPresent() ? InetAddress.getByName(host().get()) : InetAddress.getLoopbackAddress();
    try {
      new ServerSocket(port(), 1, address).close();
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  FirestoreDescription description(Output output) {
    rules().ifPresent(file -> requireCompiling(file, output));
    return new FirestoreDescription(rules(), indexFile(), configuration());
  }

  private void requireCompiling(Path file, Output output) {
    String source = read(file, "--rules");
    Compilation compilation = RulesFile.compile(source);
    if (compilation.rules().isEmpty()) {
      output.err().println(new ProblemText(file.toString(), source).of(compilation.problems()));
      throw wrong("The security rules do not compile");
    }
  }

  /** Says what became of a file of rules that was read, now or because it has changed. */
  private static void tell(Path file, RulesFileWatch.Reload reload, Output output) {
    if (!reload.problems().isEmpty()) {
      output.err().println(reload.problems());
    }
    output.note(
        reload.applied()
            ? "The security rules of " + file + " are in force."
            : "The security rules stay as they were.");
  }

  private IndexConfiguration configuration() {
    return indexFile().map(this::parsed).orElse(IndexConfiguration.NONE);
  }

  private IndexConfiguration parsed(Path file) {
    try {
      return IndexFile.parse(read(file, "--indexes"));
    } catch (FirestoreServerException e) {
      throw wrong(String.valueOf(e.getMessage()));
    }
  }

  private Optional<Path> indexFile() {
    return Optional.ofNullable(chosenIndexes)
        .or(() ->
            file().defaultDatabase().flatMap(FirebaseJson.Database::indexes).filter(Files::exists))
        .or(() -> rules()
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

  private WrongUsage wrong(String message) {
    return new WrongUsage(spec, ExitCode.WRONG_USAGE, message);
  }
}
