package dev.syncguard.userscript;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import dev.syncguard.sync.SyncStatus;
import dev.syncguard.userscript.demo.Member;
import dev.syncguard.userscript.demo.Writing;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Whether all of it can be read, by everybody and on every screen. */
class LooksIT {

  /** Returns each text whose contrast is below 4.5, the least that WCAG 2 asks for at level AA. */
  private static final String FAINT_TEXTS = """
      () => {
        const colour = text => { const [r, g, b, a = 1] = text.match(/[\\d.]+/g).map(Number); return {rgb: [r, g, b], a}; };
        const over = (top, under) => top.rgb.map((value, i) => value * top.a + under[i] * (1 - top.a));
        const linear = value => value <= 10 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4;
        const luminance = rgb => 0.2126 * linear(rgb[0]) + 0.7152 * linear(rgb[1]) + 0.0722 * linear(rgb[2]);
        const background = e => {
          const own = colour(getComputedStyle(e).backgroundColor);
          return own.a === 1 || !e.parentElement ? own.rgb : over(own, background(e.parentElement));
        };
        const opacity = e => e ? getComputedStyle(e).opacity * opacity(e.parentElement) : 1;
        const isText = node => node.nodeType === Node.TEXT_NODE && node.textContent.trim() !== '';
        const faint = [];
        for (const e of document.body.querySelectorAll('*')) {
          if (!Array.from(e.childNodes).some(isText) || !e.checkVisibility()) continue;
          const ink = colour(getComputedStyle(e).color);
          ink.a *= opacity(e);
          const paper = background(e);
          const [dark, light] = [luminance(over(ink, paper)), luminance(paper)].sort((a, b) => a - b);
          const contrast = (light + 0.05) / (dark + 0.05);
          if (contrast < 4.5) faint.push(contrast.toFixed(2) + ' ' + e.outerHTML.slice(0, 90));
        }
        return faint;
      }
      """;

  private static final String LONG =
      "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunternehmen";
  private static final String MARKUP =
      "<blockquote><p>Quoted</p></blockquote><pre><code>" + "code ".repeat(60)
          + "</code></pre><p><a href='/posts/x'>A link</a> and <code>" + "code".repeat(40)
          + "</code>, " + LONG
          + "</p><h3>" + LONG + "</h3><table><tr>" + "<td>cell " + LONG + "</td>".repeat(1)
          + "<td>another cell</td>".repeat(20)
          + "</tr></table><img src='/none.png' width='2000' height='900' alt='A wide picture'>";
  private static final String ID = "cOmMeNtWiDe000001";

  @RegisterExtension
  final World world = new World();

  @Test
  void everyTextStandsOutFromItsBackground() {
    writeWide();
    Tab tab = world.device().open().awaitSetup();
    assertNothingIsFaint(tab);
    tab.find("#loadFromDate").fill("2020-01-01");
    tab.find("#startReading").click();
    tab.awaitItems().mark(ID);
    tab.item("cOmMeNtClOcK00001").locator("[data-action='author-down']").click();
    tab.item("cOmMeNtClOcK00002").locator("[data-action='author-up']").click();
    tab.page()
        .evaluate(
            "for (const name of ['warning', 'error', 'info', 'loading', 'notice', 'quiet'])"
                + " document.querySelector('#pr-content').insertAdjacentHTML('beforeend',"
                + " `<div class=\"pr-${name}\">Text <a href=\"/\">link</a> <button>Button</button></div>`)");

    assertNothingIsFaint(tab);

    for (SyncStatus.Kind kind : SyncStatus.Kind.values()) {
      tab.page()
          .evaluate(
              "kind => document.querySelector('#pr-sync-status-label').dataset.kind = kind",
              kind.name());
      assertNothingIsFaint(tab);
    }
  }

  @Test
  void whatIsTooWideStaysInsideOfANarrowPhone() {
    writeWide();
    Device device = world.device(
        world.forum(), new Browser.NewContextOptions().setViewportSize(360, 740).setHasTouch(true));
    Tab tab = device.openFrom(Tab.LONG_AGO).awaitItems();

    assertThat(tab.page().evaluate("document.documentElement.scrollWidth")).isEqualTo(360);
    assertThat(
            tab.page()
                .evaluate(
                    "Array.from(document.querySelectorAll('button, summary, input[type=checkbox]'),"
                        + " e => e.getBoundingClientRect()).filter(r => r.width > 0 && (r.left < 0 || r.right > 360)).length"))
        .isEqualTo(0);
  }

  private void writeWide() {
    world
        .content()
        .add(new Member("wIdEwRiTeRaBcDeFg", "wide", LONG, null))
        .add(new Writing(
            "pOsTwIdEaBcDeFgHi", "wide", Instant.now(), 1, "pOsTwIdEaBcDeFgHi", null, LONG, MARKUP))
        .add(new Writing(ID, "wide", Instant.now(), 1234, "pOsTwIdEaBcDeFgHi", null, null, MARKUP));
  }

  private static void assertNothingIsFaint(Tab tab) {
    for (ColorScheme scheme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
      tab.page().emulateMedia(new Page.EmulateMediaOptions().setColorScheme(scheme));
      assertThat((List<?>) tab.page().evaluate(FAINT_TEXTS)).as(scheme.name()).isEmpty();
    }
  }
}
