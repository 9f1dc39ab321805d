package dev.syncguard.firestore.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Applications choose their Netty. Where that lacks what the server needs, it says so. */
@Tag("slow")
class OldNettyTest {

  /** What an application does. */
  static final class Application {
    private Application() {}

    /** Starts a server, and says why not. */
    public static void main(String[] arguments) {
      try {
        FirestoreServer.builder().start();
        System.out.println("started");
      } catch (IllegalStateException e) {
        System.out.println(e.getMessage());
      }
      System.exit(0);
    }
  }

  @Test
  @Timeout(120)
  void aNettyThatIsTooOldIsNamed() throws Exception {
    // Netty 4.1 lacks classes of this jar; without the jar they are missing as well.
    String classPath = Arrays.stream(
            System.getProperty("java.class.path").split(File.pathSeparator, -1))
        .filter(entry -> !new File(entry).getName().matches("netty-transport-\\d.*"))
        .collect(Collectors.joining(File.pathSeparator));
    Process application = new ProcessBuilder(
            ProcessHandle.current().info().command().orElseThrow(),
            "-cp",
            classPath,
            Application.class.getName())
        .redirectErrorStream(true)
        .start();
    assertThat(new String(application.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
        .contains("needs Netty 4.2", "netty.version");
  }
}
