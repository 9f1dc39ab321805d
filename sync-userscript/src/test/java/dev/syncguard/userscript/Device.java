package dev.syncguard.userscript;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Request;
import com.microsoft.playwright.Route;
import com.microsoft.playwright.options.WaitUntilState;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** A browser with a profile of its own. Its requests to Firestore are counted and can be made to fail. */
final class Device {

  /** Counts the requests that a page has sent, and those among them whose answers it has not dealt with yet. */
  private static final String COUNTING = """
      window.asked = 0;
      window.underWay = 0;
      const send = XMLHttpRequest.prototype.send;
      XMLHttpRequest.prototype.send = function (body) {
        window.asked++;
        window.underWay++;
        this.addEventListener('loadend', () => window.underWay--);
        return send.call(this, body);
      };
      """;

  private static final int FROZEN_AHEAD_MILLIS = 10_000;

  // Well below the time after which the script gives up on a request.
  private static final long STEP_MILLIS = 10_000;

  private final BrowserContext context;
  private final String forum;
  private final List<String> sent = new ArrayList<>();
  private final List<String> commitBodies = new ArrayList<>();
  private final List<String> errors = new ArrayList<>();
  private Consumer<Route> network = Route::resume;

  Device(BrowserContext context, String forum) {
    this.context = context;
    this.forum = forum;
    context.addInitScript(COUNTING);
    context.onRequest(this::sent);
    context.onWebError(error -> errors.add(error.error()));
    context.route("**/__gm/**", route -> network.accept(route));
  }

  private void sent(Request request) {
    URI uri = URI.create(request.url().replace("(", "%28").replace(")", "%29"));
    if (!"127.0.0.1".equals(uri.getHost())) {
      errors.add("A request left this machine: " + uri.getHost());
    }
    // What the operator asks for is looked up once an hour, whatever the reader does.
    if (request.url().contains("/__gm/") && !request.url().contains("operator")) {
      boolean commit = request.url().contains("documents:commit");
      sent.add(commit ? "commit" : request.method());
      if (commit) {
        commitBodies.add(request.postData());
      }
    }
  }

  BrowserContext context() {
    return context;
  }

  /** Returns what was asked about the reader's document so far: {@code GET} and {@code commit}. */
  List<String> sent() {
    return sent;
  }

  long commits() {
    return sent.stream().filter("commit"::equals).count();
  }

  /** Returns what was said in each commit, in the order in which they were sent. */
  List<String> commitBodies() {
    return commitBodies;
  }

  /** Returns what went wrong where nobody looked. */
  List<String> errors() {
    return errors;
  }

  /** Decides about each request to Firestore from now on. */
  void network(Consumer<Route> behaviour) {
    network = behaviour;
  }

  /** Lets every request to Firestore be answered with an error. */
  void refuse(int status, String error) {
    network(route -> route.fulfill(new Route.FulfillOptions()
        .setStatus(status)
        .setContentType("application/json")
        .setBody("{\"error\":{\"code\":" + status + ",\"status\":\"" + error
            + "\",\"message\":\"no\"}}")));
  }

  void heal() {
    network(Route::resume);
  }

  /** Takes over the clock. It goes on by itself, and can be moved. */
  Device withClock() {
    context.clock().install();
    return this;
  }

  /** Stops the clock, so that a slow machine cannot let anything happen that a test does not ask for. */
  Device freeze() {
    context.clock().pauseAt(System.currentTimeMillis() + FROZEN_AHEAD_MILLIS);
    return this;
  }

  /** Stops the clock of a device with an open page. */
  void freeze(Tab tab) {
    long now = ((Number) tab.page().evaluate("Date.now()")).longValue();
    context.clock().pauseAt(now + FROZEN_AHEAD_MILLIS);
    settle(tab);
  }

  /** Returns how many requests the page has sent, to the forum and to Firestore. */
  int asked(Tab tab) {
    return (Integer) tab.page().evaluate("asked");
  }

  /** Waits, while no time passes, until the page has dealt with the answers to all that it has sent. */
  void settle(Tab tab) {
    tab.await("all answers", () -> Integer.valueOf(0).equals(tab.page().evaluate("underWay")));
  }

  /** Moves the clock and lets every timer run that falls into that time. */
  void pass(long millis) {
    context.clock().runFor(millis);
  }

  /** Lets time pass until all changes have reached Firestore. */
  void push(Tab tab) {
    pass(9_000);
    tab.await(
        "the end of the push",
        () -> stored(tab, "power-reader-sync-meta")
            .contains("\"dirty\":{\"read\":false,\"loadFrom\":false,\"authorPrefs\":false}"));
  }

  /**
   * Lets time pass with somebody at the screen. The clock is virtual and the network is not, so time goes in small steps,
   * and at each of them the network gets what it needs to answer in time.
   */
  void passActively(Tab tab, long millis) {
    for (long left = millis; left > 0; left -= STEP_MILLIS) {
      tab.touch();
      pass(Math.min(left, STEP_MILLIS));
      settle(tab);
    }
  }

  Tab open() {
    return open("/reader");
  }

  Tab open(String path) {
    Tab tab = new Tab(context.newPage(), forum);
    tab.go(path);
    return tab;
  }

  /** Opens the reader on a device that has a date to load from already. */
  Tab openFrom(String loadFrom) {
    store("power-reader-read-from", loadFrom);
    return open();
  }

  void login(String name) {
    at("/login?as=" + name, page -> {});
  }

  /** Puts a value into the userscript manager. */
  void store(String key, String value) {
    at(
        "/",
        page -> page.evaluate(
            "([key, value]) => localStorage.setItem('gm:' + key, JSON.stringify(value))",
            List.of(key, value)));
  }

  /** Returns a value of the userscript manager, or an empty string, as a tab of the forum sees it. */
  String stored(Tab tab, String key) {
    return (String) tab.page()
        .evaluate(
            "key => { const text = localStorage.getItem('gm:' + key);"
                + " return text === null ? '' : String(JSON.parse(text)); }",
            key);
  }

  private void at(String path, Consumer<Page> action) {
    Page page = context.newPage();
    page.navigate(
        forum + path, new Page.NavigateOptions().setWaitUntil(WaitUntilState.DOMCONTENTLOADED));
    action.accept(page);
    page.close();
  }
}
