// needs lock-jdbc lock-redis org.xerial:sqlite-jdbc org.springframework.boot:spring-boot-starter-data-redis
// imports org.springframework.boot:spring-boot-dependencies:3.5.16 org.springframework.boot:spring-boot-dependencies:4.0.7 org.springframework.boot:spring-boot-dependencies:4.1.0
import dev.syncguard.lock.Fence;
import dev.syncguard.lock.LockException;
import dev.syncguard.lock.Locks;
import dev.syncguard.lock.springboot.Locked;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.springframework.boot.Banner;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** With the versions that Spring Boot manages, Jedis among them: a locked method, and every class that Redis needs. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class Main {

  static class Orders {
    @Locked(key = "'order:' + #id")
    public long ship(int id, Fence fence) {
      return fence.value();
    }
  }

  @Bean
  Orders orders() {
    return new Orders();
  }

  public static void main(String[] args) throws Exception {
    Path directory = Files.createTempDirectory("starter");
    int port;
    try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    long fence;
    try (var application = start("syncguard.store=sqlite", "syncguard.sqlite.file=" + directory.resolve("locks.db"))) {
      fence = application.getBean(Orders.class).ship(42, null);
    }
    LockException.Code redis = null;
    try (var application = start("syncguard.store=redis", "spring.data.redis.host=127.0.0.1", "spring.data.redis.port=" + port)) {
      application.getBean(Locks.class).lock("payment:42").tryAcquire();
    } catch (LockException e) {
      redis = e.code();
    }
    System.out.println(fence == 1 && redis == LockException.Code.SERVICE_UNAVAILABLE ? "works" : fence + " " + redis);
  }

  private static ConfigurableApplicationContext start(String... properties) {
    return new SpringApplicationBuilder(Main.class)
        .bannerMode(Banner.Mode.OFF)
        .properties("logging.level.root=off")
        .properties(properties)
        .run();
  }
}
