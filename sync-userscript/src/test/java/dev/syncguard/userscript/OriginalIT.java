package dev.syncguard.userscript;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** For those who come from the Power Reader that this one is compatible with. */
class OriginalIT {

  private static final String COMMENT = "cOmMeNtGaRdEn0002";

  @RegisterExtension
  final World world = new World();

  @Test
  void anotherReaderThatComesLaterIsNoticed() {
    Tab tab = world.device().openFrom(Tab.LONG_AGO).awaitItems();

    tab.page()
        .evaluate("document.body.innerHTML = '<div id=\"power-reader-root\">The other one</div>'");

    tab.find("[role='alert']").waitFor();
    assertThat(tab.find("[role='alert']").textContent())
        .contains("Two Power Readers", "userscript manager");
  }

  @Test
  void anotherReaderThatWasFirstIsLeftAloneAndTold() {
    Device device = world.device();
    device.context().addInitScript("""
        new MutationObserver((changes, mine) => {
          if (document.body && location.pathname === '/reader') {
            mine.disconnect();
            document.body.innerHTML = '<div id="power-reader-root">The other one</div>';
          }
        }).observe(document, {childList: true, subtree: true});
        """);

    Tab tab = device.openFrom(Tab.LONG_AGO);

    tab.find("[role='alert']").waitFor();
    assertThat(tab.find("[role='alert']").textContent()).contains("Two Power Readers");
  }

  @Test
  void itsExportCanBePasted() {
    Device device = world.device();
    Tab tab = device.open().awaitSetup();
    tab.find(".pr-import summary").click();

    tab.find("#pr-import-text")
        .fill("{\"power-reader-read\":\"{\\\"" + COMMENT + "\\\":1}\","
            + "\"power-reader-read-from\":\"" + Tab.LONG_AGO + "\","
            + "\"power-reader-author-prefs\":\"{\\\"mira\\\":1,\\\"jonas\\\":-1}\","
            + "\"power-reader-view-width\":\"0\",\"power-reader-sync-meta\":\"\"}");
    tab.find("#pr-import-state-btn").click();

    tab.awaitItems().awaitRead(COMMENT);
    assertThat(tab.item(COMMENT).getAttribute("class")).contains("pr-preferred");
    assertThat(tab.item("cOmMeNtGaRdEn0001").getAttribute("class")).contains("pr-avoided");
  }
}
