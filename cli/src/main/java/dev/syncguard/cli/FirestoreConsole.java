package dev.syncguard.cli;

import dev.syncguard.console.Console;
import dev.syncguard.console.ConsoleServer;
import dev.syncguard.firestore.server.FirestoreServer;
import java.net.URI;
import java.util.Optional;

/** The console beside a Firestore that a command runs, or none. */
record FirestoreConsole(Optional<ConsoleServer> server) implements AutoCloseable {

  static FirestoreConsole over(FirestoreServer firestore, String project, boolean wanted) {
    if (!wanted) {
      return new FirestoreConsole(Optional.empty());
    }
    URI address = URI.create("http://" + firestore.emulatorHost());
    Console console = Console.builder().firestore(address, project).build();
    return new FirestoreConsole(Optional.of(ConsoleServer.start(console, 0)));
  }

  JsonLine describe(JsonLine line) {
    server.ifPresent(console -> line.add("console", console.address()));
    return line;
  }

  void note(Output output) {
    server.ifPresent(console -> output.note("Console, for you alone: " + console.address()));
  }

  @Override
  public void close() {
    server.ifPresent(ConsoleServer::close);
  }
}
