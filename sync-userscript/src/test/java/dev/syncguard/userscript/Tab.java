package dev.syncguard.userscript;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.options.WaitForSelectorState;
import com.microsoft.playwright.options.WaitUntilState;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;

/** One page of the forum, in words of a reader. */
final class Tab {

  /** Long before anything in the forum was written. */
  static final String LONG_AGO = "2020-01-01T00:00:00.000Z";

  /** Waits until an element is gone. */
  static final Locator.WaitForOptions GONE =
      new Locator.WaitForOptions().setState(WaitForSelectorState.DETACHED);

  static final int PATIENCE_MILLIS = Integer.getInteger("patience", 60_000);

  private final Page page;
  private final String forum;
  private final List<String> log = new ArrayList<>();
  private int touches;

  Tab(Page page, String forum) {
    this.page = page;
    this.forum = forum;
    page.onConsoleMessage(message -> log.add(message.text()));
    page.onDialog(dialog -> dialog.accept());
  }

  /** Goes to a page. The script stops the forum's own, so it is never loaded as a whole. */
  void go(String path) {
    page.navigate(forum + path, new Page.NavigateOptions().setWaitUntil(WaitUntilState.COMMIT));
  }

  Page page() {
    return page;
  }

  /** Returns what the script wrote to the console. */
  List<String> log() {
    return log;
  }

  Locator find(String selector) {
    return page.locator(selector);
  }

  Locator item(String id) {
    return page.locator(".pr-item[data-id='" + id + "']");
  }

  Tab awaitItems() {
    page.locator(".pr-item").first().waitFor();
    return this;
  }

  Tab awaitSetup() {
    page.locator(".pr-setup").waitFor();
    return this;
  }

  void mark(String id) {
    item(id).locator("[data-action='mark-read']").click();
    awaitRead(id);
  }

  void awaitRead(String id) {
    assertThat(item(id)).hasClass(Pattern.compile("\\bread\\b"), patience());
  }

  void awaitUnread(String id) {
    assertThat(item(id)).not().hasClass(Pattern.compile("\\bread\\b"), patience());
  }

  boolean isRead(String id) {
    return item(id).getAttribute("class").matches(".*\\bread\\b.*");
  }

  private static LocatorAssertions.HasClassOptions patience() {
    return new LocatorAssertions.HasClassOptions().setTimeout(PATIENCE_MILLIS);
  }

  /** Waits until the label says this and nothing else, except perhaps how long ago. */
  void awaitStatus(String text) {
    // The browser reads the pattern, and does not know Java's quotes.
    String literally = text.replaceAll("[^\\w ]", "\\\\$0");
    awaitStatus(Pattern.compile("^" + literally + "( \\(\\w+ ago\\))?$"));
  }

  void awaitStatus(Pattern pattern) {
    assertThat(find("#pr-sync-status-label"))
        .hasText(pattern, new LocatorAssertions.HasTextOptions().setTimeout(PATIENCE_MILLIS));
  }

  String status() {
    return find("#pr-sync-status-label").textContent();
  }

  /** Waits for something that the page does not show. */
  void await(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + PATIENCE_MILLIS * 1_000_000L;
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("Waited in vain for " + what + ", under "
            + find("#pr-sync-status-label").allTextContents() + "; logged: " + log);
      }
      page.waitForTimeout(50); // lets events of the browser come in
    }
  }

  void awaitLog(String part) {
    await(
        "a line in the log with " + part, () -> log.stream().anyMatch(line -> line.contains(part)));
  }

  /** Does nothing but show that somebody is there. */
  void touch() {
    touches++;
    page.mouse().move(5 + touches % 2, 300);
  }

  /** Scrolls until an item begins at the upper edge, and waits until the page has heard of it. */
  void scrollTo(String id) {
    scroll("document.querySelector('[data-id=" + id + "]').scrollIntoView()");
  }

  void scroll(String script) {
    page.evaluate("new Promise(heard => { addEventListener('scroll', heard, {once: true}); "
        + script + "; }).then(() => {})");
    awaitSight();
  }

  /** Scrolls to an item, or to the end, as a reader does: less than a screen at a time. */
  void scrollSlowly(Device device, String target) {
    device.pass(1_000);
    while (true) {
      Object moved = page.evaluate("""
          target => {
            const end = target === '' ? document.documentElement.scrollHeight
                : document.querySelector(`[data-id=${target}]`).getBoundingClientRect().top + scrollY - 56;
            const before = scrollY;
            scrollTo(0, Math.min(end, before + innerHeight * 0.6));
            return scrollY !== before;
          }
          """, target);
      if (moved.equals(false)) {
        return;
      }
      awaitSight();
      device.pass(1_000);
    }
  }

  /** Waits until the browser has told the page what is in sight. */
  private void awaitSight() {
    page.evaluate("""
        () => new Promise(told => {
          const mine = new IntersectionObserver(() => { mine.disconnect(); told(); });
          mine.observe(document.body);
        })
        """);
  }

  /** Goes through with a reset, from wherever this tab is. */
  void reset() {
    go("/reader/reset");
    find("#pr-confirm-reset-btn").click();
  }

  void focus() {
    page.evaluate("window.dispatchEvent(new Event('focus'))");
  }

  void close() {
    page.close();
  }
}
