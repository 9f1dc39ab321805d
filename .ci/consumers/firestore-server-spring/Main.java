// needs org.springframework.boot:spring-boot-autoconfigure org.springframework.boot:spring-boot-test org.springframework:spring-test
// imports org.springframework.boot:spring-boot-dependencies:4.0.7
import com.google.cloud.firestore.Firestore;
import dev.syncguard.firestore.server.spring.EmbeddedFirestore;
import java.util.Map;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.context.TestContextManager;

/** With the versions that Spring Boot manages, Netty among them: the application of a test has a Firestore. */
@SpringBootTest(classes = Main.Application.class, properties = "spring.main.banner-mode=off")
@EmbeddedFirestore
class Main {

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Application {}

  public static void main(String[] arguments) throws Exception {
    var application = new TestContextManager(Main.class).getTestContext().getApplicationContext();
    Firestore firestore = application.getBean(Firestore.class);
    firestore.document("orders/1").set(Map.of("total", 10)).get();
    if (firestore.document("orders/1").get().get().getLong("total") == 10) {
      System.out.println("works");
    }
    System.exit(0);
  }
}
