package dev.syncguard.firestore.server.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import org.junit.jupiter.api.Test;

class LocalAdministratorTest {
  private static final String DOCUMENTS = "/v1/projects/p/databases/(default)/documents/a/b";
  private static final String COMMIT = "/google.firestore.v1.Firestore/Commit";

  private final LocalAdministrator check = new LocalAdministrator(false);

  @Test
  void onThisMachineEverybodyCanBeTheAdministrator() throws Exception {
    for (String here : new String[] {"127.0.0.1", "::1"}) {
      InetAddress peer = InetAddress.getByName(here);
      assertThat(check.isAllowed(peer, DOCUMENTS, "Bearer owner")).isTrue();
      assertThat(check.isAllowed(peer, "/reset", null)).isTrue();
    }
  }

  @Test
  void onOthersNobodyCan() throws Exception {
    InetAddress peer = InetAddress.getByName("192.0.2.7");
    assertThat(check.isAllowed(peer, DOCUMENTS, "Bearer owner")).isFalse();
    assertThat(check.isAllowed(peer, COMMIT, "bearer OWNER")).isFalse();
    assertThat(check.isAllowed(peer, COMMIT, "Bearer ya29.x")).isFalse();
    assertThat(check.isAllowed(peer, "/reset", null)).isFalse();
    assertThat(check.isAllowed(peer, "/emulator/v1/projects/p:securityRules", null))
        .isFalse();
    assertThat(check.isAllowed(peer, "/", null)).isTrue();
    assertThat(check.isAllowed(peer, DOCUMENTS, null)).isTrue();
    assertThat(check.isAllowed(peer, COMMIT, "Bearer something else")).isTrue();
    assertThat(new LocalAdministrator(true).isAllowed(peer, "/reset", null)).isTrue();
  }
}
