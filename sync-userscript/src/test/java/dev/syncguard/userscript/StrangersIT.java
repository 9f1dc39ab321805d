package dev.syncguard.userscript;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.APIResponse;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Route;
import dev.syncguard.userscript.demo.Writing;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What anybody may write in the forum, on a page that has more rights than the forum's own. */
class StrangersIT {

  private static final String POST = "pOsTcLoCkSaBcDeFg";

  private static final List<String> HOSTILE = List.of(
      "<script>window.hit = 1</script><svg onload='window.hit = 1'><script>window.hit = 1</script></svg>",
      "<p onclick='window.hit = 1' onmouseover='window.hit = 1' style='position:fixed;inset:0' id='pr-notices' class='pr-item'>x</p>",
      "<img src='x' onerror='window.hit = 1' srcset='x 2x'><img src='data:text/html,x'><img src='javascript:window.hit=1'>",
      "<a href='javascript:window.hit=1'>a</a><a href=' jAvA&#9;script:window.hit=1'>b</a><a href='data:text/html,<script>1</script>'>c</a>"
          + "<a href='vbscript:x'>d</a><a href='https://127.0.0.1/' target='_top' ping='/x' download>e</a>",
      "<iframe src='/' srcdoc='<script>parent.hit = 1</script>'></iframe><object data='/'></object><embed src='/'>",
      "<form action='/demo/write' method='post'><input autofocus onfocus='window.hit = 1'><button>Send</button></form>",
      "<style>body { display: none }</style><link rel='stylesheet' href='/x.css'><meta http-equiv='refresh' content='0;url=/'>"
          + "<base href='https://127.0.0.1/'>",
      "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=x onerror=window.hit=1&gt;'></table></mtext></math>",
      "<noscript><p title='</noscript><img src=x onerror=window.hit=1>'></noscript><template><img src=x onerror='window.hit=1'></template>",
      "<span class='mjx-char pr-item' id='x' style='position:fixed;inset:0;width:1em;height:99999em;padding-top:0.4em;"
          + "background:url(/x);margin-left:calc(1em)' onclick='window.hit = 1'>m</span><span class='pr-new'>new</span>",
      "<math href='javascript:window.hit=1'><mi href='javascript:window.hit=1' onclick='window.hit=1'>x</mi><maction actiontype='toggle'"
          + " onclick='window.hit=1'><mi>y</mi></maction><annotation-xml encoding='text/html'><img src=x onerror='window.hit=1'></annotation-xml></math>",
      "<details open ontoggle='window.hit = 1'><summary>s</summary></details><video src='x' onerror='window.hit = 1' autoplay></video>"
          + "<marquee onstart='window.hit = 1'>m</marquee><custom-tag onclick='window.hit = 1'>c</custom-tag>");

  /** Lists what is on the page of a comment and not known to be harmless. */
  private static final String SUSPECT = """
      body => Array.from(body.querySelectorAll('*')).flatMap(e => {
        const found = [];
        if (/^(script|style|iframe|frame|object|embed|form|input|button|textarea|select|svg|link|meta|base|template|video|audio|mglyph|maction)$/i
            .test(e.localName)) found.push(e.localName);
        for (const {name, value} of e.attributes) {
          const fine = name === 'id' ? value.startsWith('pr-in-')
              : name === 'class' ? /^((mjx|MJXc)-[\\w-]+ ?)+$|^pr-spoiler$/.test(value)
              : name === 'style' ? /^((width|padding-top): -?[\\d.]+(em|px|%);? ?)+$/.test(value)
              : /^(href|rel|target|src|loading|alt|colspan|rowspan|width|height)$/.test(name);
          if (!fine) found.push(name + '=' + value);
          if (/^(href|src)$/.test(name) && !/^(https?|mailto):$/.test(new URL(value, location).protocol)) found.push(value);
        }
        if (e.target && !/noopener/.test(e.rel)) found.push('opener');
        return found;
      })
      """;

  @RegisterExtension
  final World world = new World();

  @Test
  void nothingOfItRunsOrLooksLikeOurs() {
    for (int i = 0; i < HOSTILE.size(); i++) {
      world
          .content()
          .add(new Writing(
              id(i),
              "tess_v",
              Instant.now(),
              0,
              POST,
              null,
              null,
              HOSTILE.get(i) + "<p><b>bold</b></p>"));
    }

    Tab tab = world.device().openFrom(Tab.LONG_AGO).awaitItems();

    for (int i = 0; i < HOSTILE.size(); i++) {
      Locator body = tab.item(id(i)).locator(".pr-comment-body");
      assertThat((List<?>) body.evaluate(SUSPECT)).as(HOSTILE.get(i)).isEmpty();
      assertThat(body.locator("b").isVisible()).as(HOSTILE.get(i)).isTrue();
      for (Locator link : body.locator("a:not([href])").all()) {
        link.click();
      }
      assertThat(tab.page().evaluate("window.hit === undefined"))
          .as(HOSTILE.get(i))
          .isEqualTo(true);
    }
    assertThat(tab.page().url()).endsWith("/reader");
    assertThat(tab.find("#pr-notices").count()).isEqualTo(1);
  }

  @Test
  void linksIntoTheForumAreWebAddressesOrNone() {
    Device device = world.device();
    device.context().route("**/graphql", StrangersIT::answerWithCodeForAddresses);
    Tab tab = device.openFrom(Tab.LONG_AGO).awaitItems();

    tab.page().keyboard().press("j");
    tab.page().keyboard().press("o");

    assertThat(tab.item("cOmMeNtClOcK00001").locator(".pr-date").getAttribute("href"))
        .isEmpty();
    assertThat(tab.find("[href^='javascript']").count()).isZero();
    assertThat(device.context().pages()).hasSize(1);
  }

  private static String id(int number) {
    return String.format("cOmMeNtEvIl%06d", number);
  }

  private static void answerWithCodeForAddresses(Route route) {
    APIResponse answer = route.fetch();
    route.fulfill(new Route.FulfillOptions()
        .setResponse(answer)
        .setBody(answer
            .text()
            .replaceAll("\"pageUrl\":\\s*\"[^\"]*\"", "\"pageUrl\":\"javascript:window.hit=1\"")));
  }
}
