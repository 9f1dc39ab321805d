package dev.syncguard.console;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Playwright;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.extension.ExtensionContext;

/** The system's Chromium, started once for all tests. */
final class Chromium implements AutoCloseable {

  private static final List<Path> PLACES = List.of(
      Path.of("/usr/bin/chromium"),
      Path.of("/usr/bin/chromium-browser"),
      Path.of("/usr/bin/google-chrome"));

  private final Playwright playwright;
  private final Browser browser;

  private Chromium() {
    playwright = Playwright.create(
        new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
    browser = playwright
        .chromium()
        .launch(
            new BrowserType.LaunchOptions()
                .setExecutablePath(program())
                .setChromiumSandbox(false)
                // Nothing but this machine exists, whatever a page asks for; it also has a
                // stranger's name.
                .setArgs(
                    List.of(
                        "--host-resolver-rules=MAP rebound.example 127.0.0.1 , MAP * ~NOTFOUND , EXCLUDE 127.0.0.1")));
  }

  static Browser of(ExtensionContext context) {
    return context
        .getRoot()
        .getStore(ExtensionContext.Namespace.GLOBAL)
        .computeIfAbsent(Chromium.class, key -> new Chromium(), Chromium.class)
        .browser;
  }

  private static Path program() {
    return PLACES.stream()
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException(
            "There is no Chromium. On Debian or Ubuntu: sudo apt-get install chromium"));
  }

  @Override
  public void close() {
    browser.close();
    playwright.close();
  }
}
