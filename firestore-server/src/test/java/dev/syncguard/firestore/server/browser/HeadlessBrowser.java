package dev.syncguard.firestore.server.browser;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A browser without a window, as Debian ships it, which opens one page in a fresh profile. */
final class HeadlessBrowser implements AutoCloseable {
  /** Which one; both are Debian packages. */
  enum Kind {
    CHROMIUM,
    FIREFOX
  }

  private final Process process;
  private final Path log;

  HeadlessBrowser(Kind kind, Path directory, String url) throws IOException {
    Path profile = Files.createTempDirectory(directory, "profile");
    this.log = profile.resolve("browser.log");
    ProcessBuilder builder = new ProcessBuilder(command(kind, profile, url))
        .redirectErrorStream(true)
        .redirectOutput(log.toFile());
    builder.environment().put("HOME", profile.toAbsolutePath().toString());
    this.process = builder.start();
  }

  private static List<String> command(Kind kind, Path profile, String url) throws IOException {
    return switch (kind) {
      case CHROMIUM ->
        List.of(
            "/usr/bin/chromium",
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--user-data-dir=" + profile.toAbsolutePath(),
            url);
      case FIREFOX -> {
        // It must not look beyond this machine.
        Files.writeString(profile.resolve("user.js"), """
            user_pref("browser.shell.checkDefaultBrowser", false);
            user_pref("browser.aboutwelcome.enabled", false);
            user_pref("datareporting.policy.dataSubmissionEnabled", false);
            user_pref("toolkit.telemetry.enabled", false);
            user_pref("app.normandy.enabled", false);
            user_pref("network.captive-portal-service.enabled", false);
            user_pref("network.connectivity-service.enabled", false);
            user_pref("services.settings.server", "http://127.0.0.1:1");
            user_pref("browser.safebrowsing.update.enabled", false);
            user_pref("extensions.update.enabled", false);
            """);
        yield List.of(
            "/usr/bin/firefox-esr",
            "--headless",
            "--no-remote",
            "--profile",
            profile.toAbsolutePath().toString(),
            url);
      }
    };
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Returns what the browser has printed. */
  String output() throws IOException {
    return Files.readString(log);
  }

  @Override
  public void close() throws IOException, InterruptedException {
    List<ProcessHandle> all =
        Stream.concat(process.descendants(), Stream.of(process.toHandle())).toList();
    all.forEach(ProcessHandle::destroy);
    if (!process.waitFor(10, TimeUnit.SECONDS)) {
      all.forEach(ProcessHandle::destroyForcibly);
      process.waitFor();
    }
    all.forEach(ProcessHandle::destroyForcibly);
  }
}
