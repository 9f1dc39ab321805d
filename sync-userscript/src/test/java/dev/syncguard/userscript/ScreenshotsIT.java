package dev.syncguard.userscript;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.FrameLocator;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import dev.syncguard.sync.Site;
import dev.syncguard.userscript.demo.DemoForum;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * What the page looks like. The pictures go to {@code target/screenshots}; with {@code -Dscreenshots=../docs/images} they
 * replace those of the guide.
 */
class ScreenshotsIT {

  private static final Path DIRECTORY =
      Path.of(System.getProperty("screenshots", "target/screenshots"));
  private static final String COMMENT = "cOmMeNtGaRdEn0001";

  @RegisterExtension
  final World world = new World();

  @Test
  void everyStateOfThePageFitsItsWindow() {
    Device device = device(1100, 820);
    Tab tab = device.open().awaitSetup();
    take(tab, "set-up");
    tab.find("#loadFromDate").fill("2020-01-01");
    tab.find("#startReading").click();
    tab.awaitItems().mark(COMMENT);
    tab.find("[data-action='author-up']").first().click();
    tab.find("#pr-help-section > summary").click();
    device.push(tab);
    take(tab, "reading-light");
    tab.page().emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.DARK));
    take(tab, "reading-dark");
    tab.page().setViewportSize(360, 780);
    tab.page().emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.LIGHT));
    take(tab, "reading-narrow");

    tab.page().setViewportSize(1100, 420);
    device.refuse(429, "RESOURCE_EXHAUSTED");
    tab.find("[data-action='author-up']").first().click();
    device.pass(9_000);
    tab.awaitStatus(Pattern.compile("^Sync: quota-limited"));
    take(tab, "quota-limited");
  }

  @Test
  void aSpoiledDocumentAndTheResetThatHelps() {
    Device device = device(1100, 420);
    device.store("helpCollapsed", "true");
    Tab tab = device.openFrom(Tab.LONG_AGO).awaitItems();
    device.push(tab);
    world
        .remote()
        .spoil(world.remote().nodes("lw").get(0), "lastPushedBy", "{\"integerValue\":\"5\"}");
    tab.go("/reader");
    tab.awaitItems().awaitStatus("Sync: remote-invalid (push paused; reset recommended)");
    take(tab, "remote-invalid");

    device.network(route -> {}); // never answers
    tab.go("/reader/reset");
    tab.find("#pr-confirm-reset-btn").waitFor();
    take(tab, "reset");
    tab.find("#pr-confirm-reset-btn").click();
    tab.find("text=Resetting…").waitFor();
  }

  @Test
  void aLaptopAndAPhoneOnOnePage() {
    Map<String, String> devices = new TreeMap<>();
    DemoForum laptop = world.forum(Site.LESSWRONG, "laptop", devices);
    world.forum(Site.LESSWRONG, "phone", devices);
    Device device =
        world.device(laptop, new Browser.NewContextOptions().setViewportSize(1400, 900));
    Tab tab = device.open("/demo");
    FrameLocator first = tab.page().frameLocator("iframe >> nth=0");
    FrameLocator second = tab.page().frameLocator("iframe >> nth=1");
    first.locator("#loadFromDate").fill("2020-01-01");
    first.locator("#startReading").click();
    // If the feed is slow to come, its date is a second change, and pushes keep 45 s apart.
    second
        .locator("[data-id='" + COMMENT + "']")
        .waitFor(new Locator.WaitForOptions().setTimeout(180_000));
    first.locator("#pr-help-section summary").first().click();
    second.locator("#pr-help-section summary").first().click();
    first.locator("[data-id='pOsTgArDeNaBcDeFg'] [data-action='mark-read']").click();
    second.locator("[data-id='pOsTgArDeNaBcDeFg'].read").waitFor();
    take(tab, "demo");
  }

  private Device device(int width, int height) {
    return world
        .device(world.forum(), new Browser.NewContextOptions().setViewportSize(width, height))
        .withClock();
  }

  private static void take(Tab tab, String name) {
    tab.page().screenshot(new Page.ScreenshotOptions().setPath(DIRECTORY.resolve(name + ".png")));
    assertThat(tab.page().evaluate("document.documentElement.scrollWidth <= window.innerWidth"))
        .as("nothing sticks out of " + name)
        .isEqualTo(true);
  }
}
