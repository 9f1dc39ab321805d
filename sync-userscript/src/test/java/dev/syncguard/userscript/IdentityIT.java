package dev.syncguard.userscript;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Route;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Who is reading, and under which name their document is stored. */
class IdentityIT {

  private static final String COMMENT = "cOmMeNtClOcK00003";

  @RegisterExtension
  final World world = new World();

  @Test
  @Tag("PR-PERSIST-11")
  @Tag("T43")
  void afterANewSecretTheOldDocumentIsLookedAtAndLeftAlone() {
    Device device = world.device().withClock();
    Tab tab = device.openFrom(Tab.LONG_AGO).awaitItems();
    tab.awaitStatus("Sync: OK");
    tab.mark(COMMENT);
    device.push(tab);
    String old = world.remote().nodes("lw").get(0);
    String before = world.remote().envelope(old).document().toString();
    world.setOverrides("alice", "{\"pr_sync_secret_v1\":\"another-secret-0123456789\"}");
    List<String> urls = new ArrayList<>();
    device.context().onRequest(request -> urls.add(request.method() + " " + request.url()));

    tab.go("/reader");
    tab.awaitItems().awaitStatus("Sync: OK");

    tab.await(
        "the look at the old document",
        () -> urls.stream().anyMatch(url -> url.startsWith("GET") && url.contains(old)));
    device.push(tab);
    assertThat(world.remote().nodes("lw")).hasSize(2);
    assertThat(world.remote().envelope(old).document()).hasToString(before);
    assertThat(urls.stream().filter(url -> url.contains(old))).hasSize(1);
  }

  @Test
  @Tag("PR-PERSIST-15")
  @Tag("T45")
  void theSecretIsMadeOnceAndThenOnlyRead() throws Exception {
    Device device = world.device();
    Tab tab = device.openFrom(Tab.LONG_AGO).awaitItems();
    tab.awaitStatus("Sync: OK");
    assertThat(world.content().profileChanges()).isEqualTo(1);
    List<String> questions = new ArrayList<>();
    device.context().onRequest(request -> {
      if (request.url().endsWith("/graphql") && request.postData().contains("GetCurrentUser")) {
        questions.add(request.postData());
      }
    });

    tab.go("/reader");
    tab.awaitItems().awaitStatus("Sync: OK");

    assertThat(world.content().profileChanges()).isEqualTo(1);
    assertThat(questions).hasSize(1);
  }

  @Test
  @Tag("PR-PERSIST-01")
  void theNodeIsWhatWebCryptoMakesOfSiteUserAndSecret() {
    Device device = world.device().withClock();
    Tab tab = device.openFrom(Tab.LONG_AGO).awaitItems();
    tab.awaitStatus("Sync: OK");
    device.push(tab);
    String node = "pr_sync_"
        + tab.page()
            .evaluate(
                "async text => Array.from(new Uint8Array(await crypto.subtle.digest('SHA-256', new"
                    + " TextEncoder().encode(text)))).map(b => b.toString(16).padStart(2,"
                    + " '0')).join('')",
                "pr-sync-v1|lw|aLiCeReAdErAbCdEf|" + secret());

    assertThat(world.remote().nodes("lw")).containsExactly(node);
    assertThat(node).isEqualTo("pr_sync_" + sha256("pr-sync-v1|lw|aLiCeReAdErAbCdEf|" + secret()));
  }

  @Test
  @Tag("PR-PERSIST-15")
  @Tag("PR-PERSIST-64")
  @Tag("T46")
  void twoTabsThatStartTogetherAgreeOnOneSecret() {
    Device device = world.device().withClock().freeze();
    device.store("power-reader-read-from", Tab.LONG_AGO);
    List<Route> changes = new ArrayList<>();
    device.context().route("**/graphql", route -> {
      if (route.request().postData().contains("UpdateSyncSecret")) {
        changes.add(route);
      } else {
        route.resume();
      }
    });
    Tab one = device.open();
    one.await("the first tab's secret", () -> !changes.isEmpty());
    Tab two = device.open();
    two.await("the second tab's question", () -> device.asked(two) > 0);
    device.settle(two);
    assertThat(changes).as("the second tab waits for the first").hasSize(1);

    changes.get(0).resume();

    one.awaitItems().awaitStatus("Sync: OK");
    two.await("the second tab to look again", () -> {
      device.pass(300);
      return two.status().startsWith("Sync: OK");
    });
    assertThat(world.content().profileChanges()).isEqualTo(1);
    assertThat(summaryNode(one)).isEqualTo(summaryNode(two)).hasSize(8);
  }

  @Test
  @Tag("PR-PERSIST-35")
  @Tag("T53")
  void anotherMemberOnTheSameMachineSeesNothingOfTheFirst() {
    Device device = world.device().withClock();
    Tab tab = device.openFrom(Tab.LONG_AGO).awaitItems();
    tab.awaitStatus("Sync: OK");
    tab.mark(COMMENT);
    device.push(tab);
    String alices = world.remote().nodes("lw").get(0);

    device.login("bob");
    tab.go("/reader");
    tab.awaitSetup();
    tab.find("#loadFromDate").fill("2020-01-01");
    tab.find("#startReading").click();
    tab.awaitItems().awaitUnread(COMMENT);
    device.push(tab);
    List<String> bobs = world.remote().nodes("lw");
    bobs.remove(alices);
    assertThat(bobs).hasSize(1);
    assertThat(world.remote().envelope(bobs.get(0)).read()).isEmpty();

    device.login("alice");
    tab.go("/reader");
    tab.awaitItems().awaitRead(COMMENT);
  }

  private String secret() {
    Matcher matcher = Pattern.compile("\"pr_sync_secret_v1\"\\s*:\\s*\"([^\"]+)\"")
        .matcher(world.overrides("alice"));
    assertThat(matcher.find()).isTrue();
    return matcher.group(1);
  }

  /** Returns the end of the node's name, which is all that the summary tells. */
  private static String summaryNode(Tab tab) {
    tab.page().context().grantPermissions(List.of("clipboard-read", "clipboard-write"));
    tab.page().bringToFront();
    tab.find("#pr-copy-sync-debug-btn").click();
    tab.find(".pr-notice").first().waitFor();
    String summary = (String) tab.page().evaluate("navigator.clipboard.readText()");
    Matcher matcher = Pattern.compile("([0-9a-f]{8})\\b")
        .matcher(summary.replaceAll("(?m)^.*(tab|device).*$", ""));
    assertThat(matcher.find()).as(summary).isTrue();
    return matcher.group(1);
  }

  private static String sha256(String text) {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
