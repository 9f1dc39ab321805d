package dev.syncguard.benchmarks.userscript;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Playwright;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The system's Chromium, without a window. Not thread-safe. */
final class Chromium implements AutoCloseable {

  private static final List<Path> PLACES = List.of(
      Path.of("/usr/bin/chromium"),
      Path.of("/usr/bin/chromium-browser"),
      Path.of("/usr/bin/google-chrome"));

  private final Playwright playwright;
  private final Browser browser;

  Chromium() {
    Path program = PLACES.stream()
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException(
            "There is no Chromium. On Debian or Ubuntu: sudo apt-get install chromium"));
    playwright = Playwright.create(
        new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
    browser = playwright
        .chromium()
        .launch(new BrowserType.LaunchOptions()
            .setExecutablePath(program)
            .setChromiumSandbox(false)
            // Nothing but this machine exists, whatever a page asks for.
            .setArgs(List.of("--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1")));
  }

  /** Opens a profile in which nothing has been stored, cached or compiled. */
  BrowserContext newProfile() {
    BrowserContext profile = browser.newContext();
    profile.setDefaultTimeout(60_000);
    return profile;
  }

  @Override
  public void close() {
    browser.close();
    playwright.close();
  }
}
