package dev.syncguard.userscript;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.FrameLocator;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import dev.syncguard.sync.Site;
import dev.syncguard.userscript.demo.DemoForum;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a newcomer sees first. */
class DemoIT {

  private static final String COMMENT = "cOmMeNtGaRdEn0002";

  @RegisterExtension
  final World world = new World();

  @Test
  void bothDevicesAreOnOnePageAndAMarkTravelsAtOnce() {
    Map<String, String> devices = new LinkedHashMap<>();
    DemoForum laptop = world.forum(Site.LESSWRONG, "laptop", devices);
    world.forum(Site.LESSWRONG, "phone", devices);
    Device browser = world.device(laptop);
    Page page = browser.open("/demo").page();
    FrameLocator first = page.frameLocator("iframe >> nth=0");
    FrameLocator second = page.frameLocator("iframe >> nth=1");

    first.locator("#startReading").click();
    // If the feed is slow to come, its date is a second change, and pushes keep 45 s apart.
    second
        .locator("[data-id='" + COMMENT + "']")
        .waitFor(new Locator.WaitForOptions().setTimeout(180_000));
    first.locator("[data-id='" + COMMENT + "'] [data-action='mark-read']").click();

    second.locator("[data-id='" + COMMENT + "'].read").waitFor();
    assertThat(page.locator("body").innerText()).contains("Sync now", "LessWrong");
    AxeCore.assertNoViolation(page, "the demo");
  }
}
