package dev.syncguard.firestore.server.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.cloud.firestore.Firestore;
import dev.syncguard.firestore.server.FirestoreServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.Environment;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.test.context.support.GenericXmlContextLoader;

/** A test of a Spring application has a Firestore of its own. */
@SpringBootTest(classes = Shop.class)
@EmbeddedFirestore
class EmbeddedFirestoreTest {
  private static final Path RULES = Path.of("target", "shop.rules");

  @BeforeAll
  static void writeRules() throws Exception {
    Files.writeString(RULES, """
        rules_version = '2';
        service cloud.firestore {
          match /databases/{database}/documents/orders/{order} { allow read: if order == 'public'; }
        }
        """);
  }

  @Autowired
  private Shop.Orders orders;

  @Autowired
  private FirestoreServer server;

  @Test
  void thisIsTheSpringBootThatItSaysItIs() {
    assertThat(SpringBootVersion.getVersion()).startsWith(System.getProperty("spring.boot"));
  }

  @RepeatedTest(2)
  void eachTestBeginsWithoutTheDocumentsOfOthers() throws Exception {
    assertThat(orders.count()).isZero();
    orders.place("1", 10);
    assertThat(orders.count()).isEqualTo(1);
  }

  @Test
  void theApplicationsPropertiesKnowTheAddress(@Autowired Environment environment) {
    assertThat(environment.getProperty("FIRESTORE_EMULATOR_HOST")).isEqualTo(server.emulatorHost());
  }

  @Nested
  class InsideOfIt {
    @Test
    void testsShareTheApplicationAndItsServer(@Autowired FirestoreServer same) throws Exception {
      assertThat(same).isSameAs(server);
      assertThat(orders.count()).isZero();
      orders.place("2", 20);
    }
  }

  /** Another application, because it has other settings. */
  @Nested
  @EmbeddedFirestore(rules = "target/shop.rules", project = "demo-rules", reset = false)
  class WithRules {
    @Test
    void strangersDoWhatTheRulesAllow(
        @Autowired FirestoreServer other, @Autowired Firestore administrator) throws Exception {
      administrator.document("orders/public").set(Map.of("total", 1)).get();
      assertThat(get(other, "public")).isEqualTo(200);
      assertThat(get(other, "secret")).isEqualTo(403);
    }

    private static int get(FirestoreServer server, String order) throws Exception {
      URI document = URI.create("http://" + server.emulatorHost()
          + "/v1/projects/demo-rules/databases/(default)/documents/orders/" + order);
      return HttpClient.newHttpClient()
          .send(HttpRequest.newBuilder(document).build(), BodyHandlers.discarding())
          .statusCode();
    }
  }

  @Test
  void aServerEndsWithItsApplication() {
    var application = new GenericApplicationContext();
    new EmbeddedFirestoreCustomizer("demo", "", "", false, "")
        .customizeContext(
            application,
            new MergedContextConfiguration(
                Shop.class,
                new String[0],
                new Class<?>[0],
                new String[0],
                new GenericXmlContextLoader()));
    application.refresh();
    FirestoreServer own = application.getBean(FirestoreServer.class);
    assertThat(application.getBean(Firestore.class)).isNotNull();
    int port = own.port();
    application.close();
    assertThatThrownBy(() -> new Socket(InetAddress.getLoopbackAddress(), port).close())
        .isInstanceOf(IOException.class);
  }
}
