package dev.syncguard.sync.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.syncguard.sync.Site;
import dev.syncguard.sync.text.Sha256;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class SyncNodeTest {

  private static final String SECRET = "00000000-0000-4000-8000-000000000000";

  @Test
  @Tag("PR-PERSIST-01")
  @Tag("PR-PERSIST-43")
  @Tag("T1")
  void theNodesOfTheContractComeOut() {
    assertThat(SyncNode.derive(Site.LESSWRONG, "user123", SECRET))
        .isEqualTo("pr_sync_06a0ebcddd35e364d6238ee470e51832abc0187f9a9e3da6d6d50756a3160bf9");
    assertThat(SyncNode.derive(Site.EA_FORUM, "user123", SECRET))
        .isEqualTo("pr_sync_3b8386c7473981b7c6f382420d63543650e3a9453e6b06d5b1be266717e8a20d");
    assertThat(SyncNode.derive(Site.LESSWRONG, "naïve-ü", SECRET))
        .isEqualTo("pr_sync_ceb4b44f6765bc3d329b29943ddde53329da4d80305dbd342d5070a1ca4e632a");
  }

  @Test
  @Tag("PR-PERSIST-01")
  void anyOtherSiteUserOrSecretLeadsElsewhere() {
    Set<String> nodes = new HashSet<>();
    for (int i = 0; i < 1000; i++) {
      String user = "u" + i % 50;
      String secret = SECRET + i / 50;
      for (Site site : Site.values()) {
        String node = SyncNode.derive(site, user, secret);
        assertThat(node).isEqualTo(SyncNode.derive(site, user, secret));
        assertThat(SyncNode.isValid(node)).isTrue();
        nodes.add(node);
      }
    }
    assertThat(nodes).hasSize(2000);
  }

  @Test
  void ourDigestIsThatOfThePlatform() throws Exception {
    StringBuilder text = new StringBuilder();
    for (int length = 0; length < 200; length++) {
      byte[] expected = MessageDigest.getInstance("SHA-256")
          .digest(text.toString().getBytes(StandardCharsets.UTF_8));
      assertThat(Sha256.hex(text.toString())).isEqualTo(HexFormat.of().formatHex(expected));
      text.append(length % 7 == 0 ? 'ü' : 'x');
      text.append(length % 11 == 0 ? "€😀" : "").append(length % 13 == 0 ? "\ud83d" : "");
    }
  }

  @Test
  @Tag("PR-PERSIST-44")
  @Tag("PR-PERSIST-03")
  @Tag("T79")
  void thePathNamesTheSiteAndTheNode() {
    String node = SyncNode.derive(Site.LESSWRONG, "u", SECRET);
    assertThat(SyncNode.path(Site.LESSWRONG, node)).isEqualTo("pr_sync_v1/lw/nodes/" + node);
    assertThat(SyncNode.path(Site.EA_FORUM, node)).isEqualTo("pr_sync_v1/eaf/nodes/" + node);
  }

  @Test
  @Tag("PR-PERSIST-43")
  @Tag("PR-PERSIST-44")
  void whatIsNoNodeGetsNoPath() {
    String node = SyncNode.derive(Site.LESSWRONG, "u", SECRET);
    String capitals = "pr_sync_" + "A".repeat(64);
    for (String wrong :
        new String[] {"", "x", node + "0", node.substring(1), capitals, node + "/../x"}) {
      assertThatThrownBy(() -> SyncNode.path(Site.LESSWRONG, wrong))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
