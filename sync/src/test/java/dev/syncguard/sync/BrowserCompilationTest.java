package dev.syncguard.sync;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The engine must stay within what TeaVM can compile, and small enough for a userscript. */
@Tag("slow")
class BrowserCompilationTest {

  // The whole userscript may have 267 KB; the page and its adapters need their share.
  private static final long MOST_BYTES = 186_000;

  @Test
  void theWholeEngineCompilesForTheBrowserAndStaysSmall(@TempDir Path directory) throws Exception {
    TeaVm.Compiled compiled = TeaVm.compile(BrowserEntryPoint.class, directory);
    assertThat(compiled.problems()).isEmpty();
    assertThat(Files.size(compiled.script())).isBetween(20_000L, MOST_BYTES);
  }

  @Test
  void aClassThatBrowsersLackIsNoticed(@TempDir Path directory) throws Exception {
    TeaVm.Compiled compiled = TeaVm.compile(UsesMessageDigest.class, directory);
    assertThat(compiled.problems()).anyMatch(problem -> problem.contains("MessageDigest"));
  }

  /** What the engine must not do. */
  public static final class UsesMessageDigest {
    private UsesMessageDigest() {}

    public static void main(String[] args) throws Exception {
      System.out.println(MessageDigest.getInstance("SHA-256").getDigestLength());
    }
  }
}
