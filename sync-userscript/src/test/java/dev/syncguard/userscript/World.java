package dev.syncguard.userscript;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import dev.syncguard.firestore.server.FirestoreServer;
import dev.syncguard.sync.Site;
import dev.syncguard.userscript.demo.DemoForum;
import dev.syncguard.userscript.demo.ForumContent;
import dev.syncguard.userscript.demo.Member;
import dev.syncguard.userscript.demo.SampleContent;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A forum, a Firestore with the shipped rules, and as many devices as a test wants. New for each test. */
@SuppressWarnings("NullAway.Init") // set before each test
final class World implements BeforeEachCallback, AfterEachCallback {

  static final String PROJECT = "demo-reader";

  private final List<Device> devices = new ArrayList<>();
  private final List<DemoForum> forums = new ArrayList<>();
  private Browser browser;
  private FirestoreServer server;
  private ForumContent content;
  private DemoForum forum;

  @Override
  public void beforeEach(ExtensionContext context) {
    browser = Chromium.of(context);
    server = FirestoreServer.builder().port(0).rules(DemoForum.firestoreRules()).start();
    content = SampleContent.before(Instant.now());
    forum = forum(Site.LESSWRONG);
  }

  @Override
  public void afterEach(ExtensionContext context) {
    devices.forEach(device -> device.context().close());
    forums.forEach(DemoForum::close);
    server.close();
    devices.forEach(device -> assertThat(device.errors()).isEmpty());
    devices.clear();
    forums.clear();
  }

  /** Opens another forum with the same people. */
  DemoForum forum(Site site) {
    DemoForum opened = DemoForum.over(URI.create("http://" + server.emulatorHost()))
        .content(content)
        .project(PROJECT)
        .site(site)
        .start();
    forums.add(opened);
    return opened;
  }

  /** Opens a forum that is one of several devices. */
  DemoForum forum(Site site, String device, Map<String, String> devices) {
    DemoForum opened = DemoForum.over(URI.create("http://" + server.emulatorHost()))
        .content(content)
        .project(PROJECT)
        .site(site)
        .device(device)
        .devices(devices)
        .start();
    forums.add(opened);
    devices.put(device, opened.url());
    return opened;
  }

  Device device() {
    return device(forum);
  }

  Device device(DemoForum at) {
    // High enough for everything, so that nothing gets read by scrolling unless a test scrolls.
    return device(at, new Browser.NewContextOptions().setViewportSize(1000, 3000));
  }

  Device device(DemoForum at, Browser.NewContextOptions options) {
    if (options.timezoneId == null) {
      options.setTimezoneId("UTC");
    }
    BrowserContext context = browser.newContext(options.setLocale("en-GB"));
    context.setDefaultTimeout(Tab.PATIENCE_MILLIS);
    Device device = new Device(context, at.url());
    devices.add(device);
    return device;
  }

  DemoForum forum() {
    return forum;
  }

  ForumContent content() {
    return content;
  }

  Remote remote() {
    return new Remote(server.emulatorHost());
  }

  /** Replaces what the forum keeps for a member beside their name. */
  void setOverrides(String username, @Nullable String overrides) {
    Member member = content.member(username).orElseThrow();
    content.add(new Member(member.id(), username, member.displayName(), overrides));
  }

  String overrides(String username) {
    return String.valueOf(content.member(username).orElseThrow().overrides());
  }
}
