package dev.syncguard.console;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockKey;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.startup.Tomcat;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The console in a servlet container, below a path of an application. */
class ServletIT {

  @RegisterExtension
  final Desk desk = new Desk();

  @TempDir
  Path directory;

  private final HttpClient http = HttpClient.newHttpClient();

  @BeforeEach
  void bePatient() {
    PlaywrightAssertions.setDefaultAssertionTimeout(60_000);
  }

  private String serve(Console console) throws LifecycleException {
    Tomcat tomcat = new Tomcat();
    tomcat.setBaseDir(directory.toString());
    tomcat.setPort(0);
    tomcat.getConnector().setProperty("address", "127.0.0.1");
    var application = tomcat.addContext("/shop", directory.toString());
    Tomcat.addServlet(application, "console", new ConsoleServlet(console));
    application.addServletMappingDecoded("/admin/locks/*", "console");
    tomcat.start();
    desk.closing(tomcat::destroy);
    desk.closing(tomcat::stop);
    desk.closing(console);
    return "http://127.0.0.1:" + tomcat.getConnector().getLocalPort() + "/shop/admin/locks";
  }

  private HttpResponse<String> get(String address, String... headers) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address));
    return http.send(
        (headers.length == 0 ? request : request.headers(headers)).build(),
        BodyHandlers.ofString());
  }

  @Test
  void aPersonUsesItThereAsAnywhere() throws Exception {
    Console console = desk.console().admin(true).build();
    String base = serve(console);
    // Without the slash, as people type it; the token survives the way there.
    Page page = desk.open(console.address(base).replace("/#", "#"));
    assertThat(page.locator("#link")).hasText("live");
    assertThat(page.locator(".empty h3")).hasText("Nobody holds a lock");
    desk.take("payments", Duration.ofMinutes(10));
    page.locator(".body .row").click();
    page.locator(".side summary", new Page.LocatorOptions().setHasText("End this lease"))
        .click();
    page.locator("#release-name").fill("payments");
    page.locator("button.danger").click();
    assertThat(page.locator("#toast")).containsText("its holder may not know yet");
    assertThat(desk.store.isLocked(LockKey.of("payments"), Cancellation.none())).isFalse();
    assertThat(page.locator(".side .facts")).containsText("free");
    assertThat(desk.complaints).isEmpty();
  }

  @Test
  void itLetsInNobodyElse() throws Exception {
    Console console = desk.console().build();
    String base = serve(console);
    String token = console.address("").replaceFirst(".*token=", "");
    assertThat(get(base + "/").statusCode()).isEqualTo(200);
    assertThat(get(base + "/").headers().firstValue("content-security-policy"))
        .hasValueSatisfying(policy -> assertThat(policy).contains("default-src 'none'"));
    assertThat(get(base + "/api/locks").statusCode()).isEqualTo(401);
    assertThat(get(base + "/api/changes").statusCode()).isEqualTo(401);
    String[] bearer = {"authorization", "Bearer " + token};
    assertThat(get(base + "/api/locks", bearer).statusCode()).isEqualTo(200);
    for (String path : new String[] {
      "/page/../api/locks",
      "/page/..;/api/locks",
      "/page/%2e%2e/api/locks",
      "//api/locks",
      "/api/locks;/page/",
      "/page;/../api/locks"
    }) {
      assertThat(get(base + path).body()).as(path).doesNotContain("revision");
    }
    assertThat(get(base + "/api/locks", bearer[0], bearer[1], "origin", "http://evil.example")
            .statusCode())
        .isEqualTo(403);
    HttpResponse<String> strange = http.send(
        HttpRequest.newBuilder(URI.create(base + "/api/hash"))
            .POST(BodyPublishers.ofByteArray(new byte[(16 << 20) + 1]))
            .build(),
        BodyHandlers.ofString());
    assertThat(strange.statusCode()).as("a stranger's body is not even read").isEqualTo(401);
    HttpResponse<String> large = http.send(
        HttpRequest.newBuilder(URI.create(base + "/api/hash"))
            .headers(bearer)
            .POST(BodyPublishers.ofByteArray(new byte[(16 << 20) + 1]))
            .build(),
        BodyHandlers.ofString());
    assertThat(large.statusCode()).isEqualTo(413);
  }
}
