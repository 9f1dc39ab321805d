import dev.syncguard.console.Console;
import dev.syncguard.console.ConsoleServer;
import dev.syncguard.lock.memory.MemoryLockBackend;

/** Without the servlet API, which only the servlet needs. */
final class Main {
  public static void main(String[] args) {
    Console console = Console.builder().locks(new MemoryLockBackend(), "memory").build();
    try (ConsoleServer server = ConsoleServer.start(console, 0)) {
      System.out.println(server.address().startsWith("http://127.0.0.1:") ? "works" : "elsewhere");
    }
  }
}
