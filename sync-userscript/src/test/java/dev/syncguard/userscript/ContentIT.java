package dev.syncguard.userscript;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import dev.syncguard.userscript.demo.ForumContent;
import dev.syncguard.userscript.demo.Writing;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What people write looks as it does on the forum. */
class ContentIT {

  private static final String ID = "pOsTfOrMuLaAbCdEf";

  /** As the forums write one half, a note, a hidden line, a table with numbers, an embedded video. */
  private static final String HTML = """
      <h1>First</h1><h4>Deeper</h4>
      <p>Half is <span class="math-tex"><span class="mjpage"><span class="mjx-chtml"><span class="mjx-math" aria-label="\\frac{1}{2}">
      <span class="mjx-mrow" aria-hidden="true"><span class="mjx-mfrac"><span class="mjx-box MJXc-stacked" style="width: 0.7em; padding: 0px 0.12em;">
      <span class="mjx-numerator" style="font-size: 70.7%; width: 0.99em; top: -1.3em;"><span class="mjx-mn"><span class="mjx-char MJXc-TeX-main-R"
      style="padding-top: 0.4em; padding-bottom: 0.4em;">1</span></span></span><span class="mjx-denominator" style="font-size: 70.7%;">
      <span class="mjx-mn"><span class="mjx-char MJXc-TeX-main-R">2</span></span></span><span class="mjx-line" style="border-bottom: 1.3px solid;
      top: -0.3em; width: 0.7em;"></span></span></span></span></span></span></span></span>, as
      <math><mfrac><mn>1</mn><mn>2</mn></mfrac></math> is.<sup class="footnote-ref"><a href="#fn-x-1" id="fnref-x-1">[1]</a></sup></p>
      <div class="spoilers"><p>The butler did it.</p></div>
      <figure class="table"><table><thead><tr><th>Year</th><th style="text-align:right">Number</th></tr></thead>
      <tbody><tr><td>1999</td><td style="text-align:right">12</td></tr></tbody></table></figure>
      <iframe src="https://www.youtube.com/embed/abc"></iframe>
      <section class="footnotes"><ol><li id="fn-x-1" class="footnote-item"><p>A note. <a href="#fnref-x-1">↩</a></p></li></ol></section>
      """;

  @RegisterExtension
  final World world = new World();

  static void write(ForumContent content) {
    content.add(new Writing(ID, "mira", Instant.now(), 1, ID, null, "Formulas", HTML));
  }

  @Test
  void aFormulaKeepsItsShape() {
    Locator post = open();

    assertThat(post.locator(".mjx-numerator").boundingBox().y)
        .isLessThan(post.locator(".mjx-denominator").boundingBox().y);
    assertThat(post.locator("[role='math']").getAttribute("aria-label")).isEqualTo("\\frac{1}{2}");
    assertThat(post.locator(".mjx-char").first().evaluate("e => e.style.paddingTop"))
        .isEqualTo("0.4em");
    assertThat(post.locator("math mfrac").evaluate("e => e.namespaceURI + e.childElementCount"))
        .isEqualTo("http://www.w3.org/1998/Math/MathML2");
  }

  @Test
  void aSpoilerIsHiddenUntilItIsOpened() {
    Locator post = open();
    Locator text = post.locator("text=The butler did it.");
    assertThat(text.isVisible()).isFalse();

    post.locator("summary").click();

    assertThat(text.isVisible()).isTrue();
  }

  @Test
  void aFootnoteIsFoundOnTheSamePage() {
    Locator post = open();
    Locator note = post.locator("sup a");

    assertThat(note.getAttribute("target")).isNull();
    note.click();

    assertThat(post.locator("li:target").innerText()).contains("A note.");
    assertThat(post.page().context().pages()).hasSize(1);
    post.locator("li a").click();
    assertThat(post.locator("a:target").innerText()).isEqualTo("[1]");
  }

  @Test
  void tablesKeepTheirColumnsAndWhatIsEmbeddedBecomesALink() {
    Locator post = open();

    assertThat(post.locator("td").nth(1).evaluate("e => getComputedStyle(e).textAlign"))
        .isEqualTo("right");
    assertThat(post.locator("a[href='https://www.youtube.com/embed/abc']").innerText())
        .contains("www.youtube.com");
  }

  @Test
  void headingsContinueThoseOfThePage() {
    Locator post = open();

    assertThat(post.locator("text=First").evaluate("e => e.localName")).isEqualTo("h3");
    assertThat(post.locator("text=Deeper").evaluate("e => e.localName")).isEqualTo("h4");
  }

  private Locator open() {
    write(world.content());
    return world.device().openFrom(Tab.LONG_AGO).awaitItems().item(ID);
  }
}
