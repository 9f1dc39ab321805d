package dev.syncguard.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.Request;
import com.microsoft.playwright.Response;
import com.sun.net.httpserver.HttpServer;
import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockKey;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.telemetry.Telemetry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What others cannot do: pages elsewhere, names that they give to this machine, and texts that they write. */
class StrangersIT {

  private static final Duration LONG = Duration.ofMinutes(10);

  @RegisterExtension
  final Desk desk = new Desk();

  @BeforeEach
  void bePatient() {
    com.microsoft.playwright.assertions.PlaywrightAssertions.setDefaultAssertionTimeout(60_000);
  }

  @Test
  void anotherPageCanNeitherReadNorDoAnythingEvenIfItKnowsTheToken() throws Exception {
    desk.take("payments", LONG);
    ConsoleServer server = desk.serve(desk.console().admin(true));
    String base = server.address().replaceAll("/#.*", "");
    String token = server.address().replaceAll(".*token=", "");
    Page evil = desk.open("http://127.0.0.1:" + page("<h1>evil</h1>") + "/");

    for (String mode : List.of("cors", "no-cors")) {
      Object read = evil.evaluate("""
          ([url, mode]) => fetch(url, {mode}).then(answer => answer.text()).then(text => 'read ' + text.length, () => 'refused')""", List.of(base + "/api/locks", mode));
      assertThat(read).as(mode).isIn("refused", "read 0");
    }
    Object withToken = evil.evaluate("""
        ([url, token]) => fetch(url, {headers: {authorization: 'Bearer ' + token}}).then(answer => answer.text(), () => 'refused')""", List.of(base + "/api/locks", token));
    assertThat(withToken).isEqualTo("refused");
    evil.evaluate(
        """
        ([url, key]) => fetch(url, {method: 'POST', mode: 'no-cors', body: JSON.stringify({key, name: 'payments'})}).catch(() => {})""", List.of(base + "/api/release", LockKey.of("payments").hash().hex()));
    assertThat(desk.store.isLocked(LockKey.of("payments"), Cancellation.none())).isTrue();

    // Nor can it show the console inside of itself.
    evil.evaluate(
        "url => { const frame = document.createElement('iframe'); frame.src = url; document.body.append(frame); }",
        base + "/");
    evil.waitForTimeout(500);
    assertThat(evil.frames().stream()
            .anyMatch(
                frame -> frame.url().startsWith(base) && frame.locator("nav").count() > 0))
        .isFalse();
  }

  /** All the ways in which a page makes a browser send something without asking first. */
  @Test
  void formsImagesScriptsAndSocketsOfAnotherPageAchieveNothing() throws Exception {
    desk.take("payments", LONG);
    ConsoleServer server = desk.serve(desk.console().admin(true));
    String base = server.address().replaceAll("/#.*", "");
    String token = server.address().replaceAll(".*token=", "");
    Page evil = desk.open("http://127.0.0.1:" + page("<h1>evil</h1>") + "/");
    List<?> outcomes = (List<?>)
        evil.evaluate("""
        ([base, token, key]) => {
          const element = (tag, attribute, path) => new Promise(done => {
            const it = document.createElement(tag);
            it.onload = () => done(tag + ' loaded');
            it.onerror = () => done('refused');
            if (tag === 'link') it.rel = 'stylesheet';
            it[attribute] = base + path;
            document.body.append(it);
          });
          const socket = url => new Promise(done => {
            const it = new WebSocket(url);
            it.onopen = () => done('socket opened');
            it.onerror = () => done('refused');
          });
          const events = new Promise(done => {
            const it = new EventSource(base + '/api/changes');
            it.onopen = () => done('events opened');
            it.onerror = () => { it.close(); done('refused'); };
          });
          navigator.sendBeacon(base + '/api/release', JSON.stringify({key, name: 'payments'}));
          const xhr = new Promise(done => {
            const it = new XMLHttpRequest();
            it.onload = () => done('xhr loaded');
            it.onerror = () => done('refused');
            it.open('GET', base + '/api/locks');
            it.setRequestHeader('authorization', 'Bearer ' + token);
            it.send();
          });
          return Promise.all([element('img', 'src', '/page/icon.svg'), element('img', 'src', '/api/locks'), element('script', 'src', '/page/app.js'),
            element('script', 'src', '/api/locks'), element('link', 'href', '/page/style.css'), socket(base.replace('http', 'ws') + '/api/changes'),
            socket(base.replace('http', 'ws') + '/api/locks'), events, xhr]);
        }""", List.of(base, token, LockKey.of("payments").hash().hex()));
    assertThat(outcomes).hasSize(9);
    outcomes.forEach(outcome -> assertThat(outcome).isEqualTo("refused"));

    // A form may take the whole window there, with a body that reads as JSON; and gets a refusal.
    evil.evaluate("""
        ([base, key]) => {
          const form = document.createElement('form');
          form.method = 'POST';
          form.enctype = 'text/plain';
          form.action = base + '/api/release';
          const input = document.createElement('input');
          input.name = JSON.stringify({key, name: 'payments'}).slice(0, -1) + ',"x":"';
          input.value = '"}';
          form.append(input);
          document.body.append(form);
          form.submit();
        }""", List.of(base, LockKey.of("payments").hash().hex()));
    evil.waitForURL(base + "/api/release");
    assertThat(evil.content()).contains("Other web pages may not use the console.");
    assertThat(desk.store.isLocked(LockKey.of("payments"), Cancellation.none())).isTrue();
  }

  @Test
  void whoGoesBackOrSharesTheWindowFindsNoToken() {
    desk.take("report", LONG);
    ConsoleServer server = desk.serve(desk.console());
    String token = server.address().replaceAll(".*token=", "");
    Page page = desk.open(server.address());
    assertThat(page.locator(".body .row")).hasCount(1);
    page.keyboard().press("2");
    assertThat(page.locator("main h2")).hasText("Timeline");
    page.goBack();
    assertThat(page.locator("main h2")).hasText("Locks");
    assertThat(page.url()).doesNotContain(token);
    // Another tab of the same browser has to be let in by itself.
    Page other = page.context().newPage();
    other.navigate(server.address().replaceAll("#.*", ""));
    assertThat(other.locator(".empty h2")).hasText("Open the address that was printed");
    assertThat((String) other.evaluate(
            "JSON.stringify(localStorage) + document.cookie + JSON.stringify(sessionStorage)"))
        .doesNotContain(token);
  }

  @Test
  void aNameThatWasReboundToThisMachineIsRefused() {
    ConsoleServer server = desk.serve(desk.console());
    String rebound = server.address().replace("127.0.0.1", "rebound.example");
    Page page =
        desk.window(new com.microsoft.playwright.Browser.NewContextOptions()).newPage();
    Response response = page.navigate(rebound);
    assertThat(response.status()).isEqualTo(403);
    assertThat(page.content()).contains("does not answer to this host name");
    Object read = page.evaluate("""
        token => fetch('/api/locks', {headers: {authorization: 'Bearer ' + token}}).then(answer => answer.status)""", server.address().replaceAll(".*token=", ""));
    assertThat(read).isEqualTo(403);
  }

  /** What is in no address and no referrer is in no log that is made of them. */
  @Test
  void theTokenIsInNoAddressThatTheBrowserSendsAndDoesNotStayInItsOwn() {
    desk.take("report", LONG);
    ConsoleServer server = desk.serve(desk.console());
    String token = server.address().replaceAll(".*token=", "");
    List<Request> requests = new CopyOnWriteArrayList<>();
    Page page =
        desk.window(new com.microsoft.playwright.Browser.NewContextOptions()).newPage();
    page.onRequest(requests::add);
    page.navigate(server.address());
    assertThat(page.locator(".body .row")).hasCount(1);
    // Before anything else changes the address.
    assertThat(page.url()).doesNotContain(token);
    page.keyboard().press("2");
    assertThat(page.locator("main h2")).hasText("Timeline");

    assertThat(page.url()).doesNotContain(token);
    assertThat((String) page.evaluate("document.documentElement.outerHTML + document.cookie"))
        .doesNotContain(token);
    assertThat(requests).hasSizeGreaterThan(8);
    boolean first = true;
    for (Request request : requests) {
      // The browser's own record of the first one still has the fragment, which it sends to nobody.
      assertThat(request.url().replaceAll("#.*", "")).doesNotContain(token);
      assertThat(request.allHeaders()).doesNotContainKey("referer");
      assertThat(first || !request.url().contains("#")).isTrue();
      first = false;
    }
  }

  @Test
  void hundredsOfHostileTextsStayTexts() throws Exception {
    List<String> texts = Hostile.texts();
    assertThat(texts).hasSizeGreaterThan(300);
    ConsoleServer server = desk.serve(desk.console());
    Page page = desk.open(server.address());
    assertThat(page.locator(".empty h3")).hasText("Nobody holds a lock");
    // As names of keys, which the page learns when somebody types them.
    for (String text : texts) {
      desk.take(
          text,
          LONG,
          (text.length() > 180 ? text.substring(0, 180) : text)
              .replaceAll("[\t\u202C\u202E]", " "));
    }
    assertThat(page.locator(".total")).hasText(texts.size() + " live locks");
    Object learned = page.evaluate("""
        async texts => {
          const input = document.getElementById('filter');
          for (const text of texts) {
            input.value = text;
            input.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', bubbles: true}));
          }
          return texts.length;
        }""", texts);
    assertThat(learned).isEqualTo(texts.size());
    assertThat(page.locator(".row .note").nth(3)).not().isEmpty();
    assertThat(page.locator(".side h3")).not().hasText("A key by its hash");
    page.locator("#filter").fill("");
    page.locator("#filter").dispatchEvent("input");
    page.locator(".rows").focus();
    for (int i = 0; i < 25; i++) {
      page.keyboard().press("PageDown");
    }
    // As names of processes, which wait for one another.
    for (int i = 0; i < 12; i++) {
      String name = texts.get(i).length() > 60 ? texts.get(i).substring(0, 60) : texts.get(i);
      ConsoleTelemetry telemetry =
          desk.closing(ConsoleTelemetry.to(server.telemetryAddress(), name));
      Locks locks = desk.closing(Locks.over(Telemetry.to(telemetry).over(desk.store)));
      locks.lock(texts.get(0)).tryAcquire();
    }
    page.keyboard().press("3");
    assertThat(page.locator(".sentences li")).hasCount(12);
    assertThat(page.locator(".sentences")).containsText(texts.get(0));
    page.keyboard().press("2");
    assertThat(page.locator(".strip-row").nth(1)).isVisible();

    assertThat(page.evaluate("window.pwned")).isNull();
    assertThat(page.locator(
                "body script, main img, iframe, object, [onerror], [onload], main style, main link")
            .count())
        .isZero();
    assertThat(desk.complaints).isEmpty();
  }

  private int page(String html) throws IOException {
    HttpServer other =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    other.createContext("/", exchange -> {
      byte[] body = html.getBytes(UTF_8);
      exchange.getResponseHeaders().set("content-type", "text/html");
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
      exchange.close();
    });
    other.start();
    desk.closing(() -> other.stop(0));
    return other.getAddress().getPort();
  }
}
