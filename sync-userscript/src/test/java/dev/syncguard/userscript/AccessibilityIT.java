package dev.syncguard.userscript;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Whether the page serves those who do not see it, do not use a mouse, or let software type for them. */
class AccessibilityIT {

  private static final String COMMENT = "cOmMeNtGaRdEn0001";

  @RegisterExtension
  final World world = new World();

  @Test
  void noStateOfThePageViolatesARule() {
    ContentIT.write(world.content());
    Device device = world.device();
    Tab tab = device.open().awaitSetup();
    check(tab, "set-up");
    assertThat(focused(tab)).isEqualTo("loadFromDate");

    tab.find("#loadFromDate").fill("2020-01-01");
    tab.find("#startReading").click();
    tab.awaitItems().mark(COMMENT);
    tab.item("cOmMeNtClOcK00001").locator("[data-action='author-down']").click();
    tab.item("cOmMeNtClOcK00002").locator("[data-action='author-up']").click();
    tab.awaitStatus("Sync: OK");
    check(tab, "reading");
    assertThat(tab.find("h1").count()).isEqualTo(1);
    assertThat(tab.item(COMMENT).locator("h3").textContent()).isEqualTo("Jonas Lindqvist");

    tab.find("#pr-mark-all-btn").click();
    tab.find("#pr-check-now-btn").click();
    tab.find(".pr-info").waitFor();
    check(tab, "nothing new");

    tab.go("/reader/reset");
    tab.find("#pr-confirm-reset-btn").waitFor();
    check(tab, "reset");
    assertThat(focused(tab)).isEqualTo("pr-cancel-reset-btn");
    assertThat(tab.find("h1").count()).isEqualTo(1);
  }

  @Test
  void whatIsUnreadSaysSoInWords() {
    Tab tab = world.device().openFrom(Tab.LONG_AGO).awaitItems();

    assertThat(tab.item(COMMENT).innerText()).contains("new");
    tab.mark(COMMENT);

    assertThat(tab.item(COMMENT).innerText()).doesNotContain("new\n");
  }

  @Test
  void whoGoesOnToTheNextPageKeepsTheirPlaceInIt() {
    Tab tab = world.device().openFrom(Tab.LONG_AGO).awaitItems();
    tab.find("#pr-mark-all-btn").click();
    tab.find("#pr-check-now-btn").press("Enter");
    tab.find(".pr-info").waitFor();

    assertThat(tab.page().evaluate("document.activeElement.closest('#pr-content') !== null"))
        .isEqualTo(true);
  }

  private static void check(Tab tab, String what) {
    for (ColorScheme scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
      tab.page().emulateMedia(new Page.EmulateMediaOptions().setColorScheme(scheme));
      AxeCore.assertNoViolation(tab.page(), what + ", " + scheme);
    }
  }

  private static Object focused(Tab tab) {
    return tab.page().evaluate("document.activeElement.id");
  }
}
