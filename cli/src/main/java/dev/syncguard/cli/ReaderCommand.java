package dev.syncguard.cli;

import dev.syncguard.sync.Site;
import dev.syncguard.sync.SyncConfig;
import dev.syncguard.sync.jvm.ReaderIdentity;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** What all commands about reading share: whose state, on which device, synced through which server. */
@Command(
    name = "reader",
    synopsisSubcommandLabel = "COMMAND",
    description = {
      "Makes this terminal a device of a forum reader, in step with all others.",
      "Read marks, reading date and author preferences follow from device to device.",
      "Without --project all stays on this machine, with a Firestore of its own under the"
          + " shipped security rules, and a file in the place of the forum's profile."
    },
    subcommands = {
      ReaderStatusCommand.class,
      ReaderPullCommand.class,
      ReaderMarkCommand.class,
      ReaderPreferCommand.class,
      ReaderLoadFromCommand.class,
      ReaderResetCommand.class,
      ReaderExportCommand.class,
      ReaderImportCommand.class,
      ReaderWatchCommand.class,
      ReaderDemoCommand.class
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  syncguard reader --device phone watch            # in one terminal",
      "  syncguard reader --device laptop mark post-1     # in another: it travels",
      "  syncguard reader status",
      "",
      "With --project the environment says who reads and with which key of the",
      "project: SYNCGUARD_READER_USER (the id of the forum's user),",
      "SYNCGUARD_READER_SECRET (the secret in their profile) and SYNCGUARD_API_KEY."
    })
final class ReaderCommand implements Runnable {

  private static final String LOCAL_USER = "local-reader";
  private static final String LOCAL_PROJECT = "demo-syncguard";

  @ParentCommand
  @SuppressWarnings("NullAway.Init") // The parser sets it.
  private Syncguard top;

  @Spec
  @SuppressWarnings("NullAway.Init") // The parser sets it.
  private CommandSpec spec;

  @Option(
      names = "--device",
      paramLabel = "NAME",
      scope = ScopeType.INHERIT,
      defaultValue = "terminal",
      description = "Which device this terminal is (default: ${DEFAULT-VALUE}).")
  private String device = "";

  @Option(
      names = "--site",
      paramLabel = "lw|eaf",
      scope = ScopeType.INHERIT,
      defaultValue = "lw",
      description = "Which forum is read (default: ${DEFAULT-VALUE}).")
  private String site = "";

  @Option(
      names = "--project",
      paramLabel = "PROJECT",
      scope = ScopeType.INHERIT,
      description = "Sync through this Firebase project instead of this machine.")
  private @Nullable String project;

  @Override
  public void run() {
    throw new WrongUsage(spec, ExitCode.WRONG_USAGE, "Say what to do with the reader");
  }

  Output output() {
    return top.output();
  }

  boolean isLocal() {
    return project == null;
  }

  /** Checks the arguments and opens the device they name, with a server if none is running yet. */
  ReaderSession open(ReaderSession.Events events) {
    SyncConfig.Builder config = SyncConfig.builder(site());
    String name = plain("--device", device);
    if (project != null) {
      ReaderIdentity identity = identityFor(config, project);
      return ReaderSession.open(config.build(), state(name), identity, events, () -> {});
    }
    LocalFirestore server = LocalFirestore.join(state().resolve("firestore"));
    config.project(LOCAL_PROJECT, "").endpoint("http://" + server.address() + "/v1");
    ReaderIdentity identity =
        ReaderIdentity.account(LOCAL_USER, state().resolve("profile-" + site().id()));
    return ReaderSession.open(config.build(), state(name), identity, events, server);
  }

  private ReaderIdentity identityFor(SyncConfig.Builder config, String remote) {
    try {
      config.project(remote, variable("SYNCGUARD_API_KEY"));
      return ReaderIdentity.known(
          variable("SYNCGUARD_READER_USER"), variable("SYNCGUARD_READER_SECRET"));
    } catch (IllegalArgumentException e) {
      throw wrong(String.valueOf(e.getMessage()));
    }
  }

  private Path state() {
    return StateDirectory.create(top.surroundings()).resolve("reader");
  }

  private Path state(String deviceName) {
    return state().resolve("devices").resolve(deviceName);
  }

  private Site site() {
    return Arrays.stream(Site.values())
        .filter(known -> known.id().equals(site))
        .findAny()
        .orElseThrow(() -> wrong("--site must be lw or eaf"));
  }

  private String plain(String what, String name) {
    if (!name.matches("[A-Za-z0-9_-]{1,64}")) {
      throw wrong(what + " may consist of letters, digits, - and _ only");
    }
    return name;
  }

  private String variable(String name) {
    String value = top.surroundings().variable(name);
    if (value.isEmpty()) {
      throw wrong("With --project, set " + name + " in the environment");
    }
    return value;
  }

  WrongUsage wrong(String message) {
    return new WrongUsage(spec, ExitCode.WRONG_USAGE, message);
  }
}
