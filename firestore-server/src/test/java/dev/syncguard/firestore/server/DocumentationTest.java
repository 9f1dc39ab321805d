package dev.syncguard.firestore.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The samples of our pages compile and run. */
class DocumentationTest {
  private static final Path DOCS = Path.of("..", "docs");

  @TempDir
  private Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"firestore-server.md", "rules.md"})
  void everySampleCompilesAndRuns(String page) throws Exception {
    Matcher samples = Pattern.compile("```java firestore-server\n(.*?)```", Pattern.DOTALL)
        .matcher(Files.readString(DOCS.resolve(page), UTF_8));
    int count = 0;
    while (samples.find()) {
      run("Sample" + count++, samples.group(1));
    }
    assertThat(count).isPositive();
  }

  private void run(String name, String sample) throws Exception {
    Path source = directory.resolve(name + ".java");
    Files.writeString(source, """
        import com.google.cloud.firestore.*;
        import dev.syncguard.firestore.server.*;
        import dev.syncguard.rules.*;
        import dev.syncguard.rules.evaluation.*;
        import java.util.Optional;

        public class %s {
          public static void main(String[] arguments) throws Exception {
            %s
          }
        }
        """.formatted(name, sample));
    int errors = ToolProvider.getSystemJavaCompiler()
        .run(
            null,
            null,
            null,
            "-proc:none",
            "-cp",
            System.getProperty("java.class.path"),
            "-d",
            directory.toString(),
            source.toString());
    assertThat(errors).as(sample).isZero();
    try (URLClassLoader loader = new URLClassLoader(new URL[] {directory.toUri().toURL()})) {
      loader.loadClass(name).getMethod("main", String[].class).invoke(null, (Object) new String[0]);
    }
  }
}
