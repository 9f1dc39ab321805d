package dev.syncguard.fence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.testkit.ChildJvm;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the guide on fences shows is what there is. The guards themselves are tried by their own tests. */
class FencingGuideTest {

  private static final String PROGRAM = """
      import dev.syncguard.fence.*;
      import dev.syncguard.lock.*;
      import java.net.http.*;
      import java.net.http.HttpResponse.BodyHandlers;
      import java.nio.file.Path;
      import java.sql.Connection;
      import javax.sql.DataSource;
      import redis.clients.jedis.RedisClient;

      abstract class Guide {
        abstract void book(Connection connection, int amount);

        void use(Locks locks, DataSource database, byte[] bytes, RedisClient jedis, HttpRequest request)
            throws Exception {
          %s
        }
      }
      """;

  @Test
  void itsSampleCompiles(@TempDir Path directory) throws Exception {
    Matcher sample = Pattern.compile("```java guards\\n(.*?)```", Pattern.DOTALL)
        .matcher(Files.readString(Path.of("..", "docs", "fencing.md")));
    assertThat(sample.find()).isTrue();
    Path source = directory.resolve("Guide.java");
    Files.writeString(source, PROGRAM.formatted(sample.group(1)));
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter messages = new StringWriter();
    boolean compiled = compiler
        .getTask(
            messages,
            null,
            null,
            List.of("-proc:none", "-d", directory.toString(), "-cp", ChildJvm.classPath()),
            null,
            compiler.getStandardFileManager(null, null, null).getJavaFileObjects(source))
        .call();
    assertThat(compiled).as(messages.toString()).isTrue();
  }
}
