package dev.syncguard.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

/**
 * What the jars tell GraalVM's native-image about reflection and resources: well formed by the format that
 * its manual documents, true of the classes that are there, and complete.
 */
class NativeImageMetadataTest {

  private static final Pattern HIDDEN_FROM_ANALYSIS = Pattern.compile(
      "Class\\.forName|getResource|ServiceLoader|getDeclared|\\.getMethod\\(|getConstructor|newProxyInstance"
          + "|ResourceBundle|ObjectInputStream|MethodHandles|System\\.load");

  @ParameterizedTest
  @ValueSource(strings = {"lock", "lock-jdbc", "lock-redis"})
  void isWellFormed(String module) throws IOException {
    Map<String, List<Map<String, ?>>> metadata = metadataOf(module);
    assertThat(metadata.keySet()).isSubsetOf("reflection", "resources").isNotEmpty();
    for (var entry : metadata.getOrDefault("reflection", List.of())) {
      assertThat(entry.keySet())
          .isSubsetOf("condition", "type", "fields", "methods")
          .contains("type");
      parts(entry, "fields").forEach(field -> assertThat(field).containsOnlyKeys("name"));
      parts(entry, "methods")
          .forEach(method -> assertThat(method).containsOnlyKeys("name", "parameterTypes"));
    }
    for (var entry : metadata.getOrDefault("resources", List.of())) {
      assertThat(entry).containsOnlyKeys("condition", "glob");
    }
    assertThat(metadata.values().stream().flatMap(List::stream))
        .allSatisfy(entry -> assertThat(condition(entry).keySet()).hasToString("[typeReached]"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"lock", "lock-jdbc", "lock-redis"})
  void namesOnlyWhatExists(String module) throws Exception {
    for (var entries : metadataOf(module).values()) {
      for (var entry : entries) {
        load(text(condition(entry), "typeReached"));
      }
    }
    for (var entry : metadataOf(module).getOrDefault("reflection", List.of())) {
      Class<?> type = load(text(entry, "type"));
      for (var field : parts(entry, "fields")) {
        assertThat(type.getDeclaredField(text(field, "name"))).isNotNull();
      }
      for (var method : parts(entry, "methods")) {
        assertThat(method.get("parameterTypes")).isEqualTo(List.of());
        if (Runtime.version().feature() >= 21) { // The one that is named came with virtual threads.
          assertThat(type.getMethod(text(method, "name"))).isNotNull();
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"lock", "lock-jdbc", "lock-redis"})
  void coversEveryResource(String module) throws IOException {
    List<String> globs = metadataOf(module).getOrDefault("resources", List.of()).stream()
        .map(entry -> text(entry, "glob"))
        .toList();
    assertThat(resourcesOf(module))
        .allSatisfy(resource -> assertThat(globs)
            .anyMatch(glob -> FileSystems.getDefault()
                .getPathMatcher("glob:" + glob)
                .matches(Path.of(resource))));
  }

  /** A use that is not listed here has no entry in the metadata either: write both. */
  @Test
  void knowsEveryUseThatAnalysisCannotSee() throws IOException {
    Set<String> found = new TreeSet<>();
    for (String module : List.of("lock", "lock-jdbc", "lock-redis")) {
      try (Stream<Path> sources = Files.walk(Path.of("..", module, "src/main/java"))) {
        for (Path source :
            sources.filter(file -> file.toString().endsWith(".java")).toList()) {
          HIDDEN_FROM_ANALYSIS
              .matcher(Files.readString(source))
              .results()
              .forEach(use -> found.add(source.getFileName() + ": " + use.group()));
        }
      }
    }
    assertThat(found)
        .containsExactly(
            "Connections.java: getDeclared",
            "Drivers.java: Class.forName",
            "PostgresSchema.java: getResource",
            "Script.java: getResource",
            "SystemBackground.java: .getMethod(");
  }

  private static Map<String, List<Map<String, ?>>> metadataOf(String module) throws IOException {
    String name =
        "META-INF/native-image/dev.syncguard/syncguard-" + module + "/reachability-metadata.json";
    try (InputStream json =
        NativeImageMetadataTest.class.getClassLoader().getResourceAsStream(name)) {
      assertThat(json).as(name).isNotNull();
      return new Yaml().load(json); // Every JSON text is a YAML text.
    }
  }

  @SuppressWarnings("unchecked") // A wrong shape fails the test.
  private static List<Map<String, ?>> parts(Map<String, ?> entry, String name) {
    return entry.containsKey(name) ? (List<Map<String, ?>>) entry.get(name) : List.of();
  }

  private static Map<?, ?> condition(Map<String, ?> entry) {
    return (Map<?, ?>) Objects.requireNonNull(entry.get("condition"));
  }

  private static String text(Map<?, ?> entry, String name) {
    return (String) Objects.requireNonNull(entry.get(name));
  }

  private static Class<?> load(String name) throws ClassNotFoundException {
    return Class.forName(name, false, NativeImageMetadataTest.class.getClassLoader());
  }

  private static List<String> resourcesOf(String module) throws IOException {
    Path root = Path.of("..", module, "src/main/resources");
    try (Stream<Path> files = Files.walk(root)) {
      return files
          .filter(Files::isRegularFile)
          .map(file -> root.relativize(file).toString())
          .filter(file -> !file.startsWith("META-INF/"))
          .toList();
    }
  }
}
