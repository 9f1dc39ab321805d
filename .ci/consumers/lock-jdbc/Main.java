// needs org.xerial:sqlite-jdbc:3.53.4.0
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.jdbc.SqliteLockBackend;
import java.nio.file.Files;
import java.nio.file.Path;

final class Main {
  public static void main(String[] args) throws Exception {
    Path directory = Files.createTempDirectory("consumer");
    try (var backend = SqliteLockBackend.open(directory.resolve("locks.db"));
        Locks locks = Locks.over(backend)) {
      locks.lock("payment:42").run(lease -> System.out.println(lease.fence().value() == 1 ? "works" : "odd fence"));
    }
    try (var files = Files.list(directory)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(directory);
  }
}
