package dev.syncguard.lock.springboot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.springboot.autoconfigure.SyncGuardProperties;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.util.ClassUtils;

/** What editors show about our properties is what the properties are. */
class PropertiesMetadataTest {

  private static List<Map<String, Object>> described() throws IOException {
    try (InputStream metadata = SyncGuardProperties.class.getResourceAsStream(
        "/META-INF/spring-configuration-metadata.json")) {
      String text = new String(metadata.readAllBytes(), StandardCharsets.UTF_8);
      List<Map<String, Object>> properties = new ArrayList<>();
      for (Object property : (List<?>) Objects.requireNonNull(
          JsonParserFactory.getJsonParser().parseMap(text).get("properties"))) {
        @SuppressWarnings("unchecked")
        Map<String, Object> one = (Map<String, Object>) property;
        properties.add(one);
      }
      return properties;
    }
  }

  /** Returns the properties of a record as {@code name -> type, default}. */
  private static Map<String, String> real(String prefix, Class<?> type) {
    Map<String, String> found = new TreeMap<>();
    RecordComponent[] components = type.getRecordComponents();
    var parameters = type.getDeclaredConstructors()[0].getParameters();
    for (int i = 0; i < components.length; i++) {
      String name = prefix + "."
          + components[i].getName().replaceAll("([A-Z])", "-$1").toLowerCase(java.util.Locale.ROOT);
      if (components[i].getType().isRecord()) {
        found.putAll(real(name, components[i].getType()));
      } else {
        DefaultValue value = parameters[i].getAnnotation(DefaultValue.class);
        found.put(
            name,
            type(components[i]) + " "
                + (value == null || value.value().length == 0 ? "" : value.value()[0]));
      }
    }
    return found;
  }

  private static String type(RecordComponent component) {
    return component.getType().isPrimitive()
        ? ClassUtils.resolvePrimitiveIfNecessary(component.getType()).getName()
        : component.getGenericType().getTypeName();
  }

  @Test
  void everyPropertyIsDescribedWithItsTypeAndDefaultAndNoOther() throws IOException {
    Map<String, String> described = new TreeMap<>();
    for (Map<String, Object> property : described()) {
      described.put(
          (String) property.get("name"),
          property.get("type") + " " + property.getOrDefault("defaultValue", ""));
      assertThat((String) property.get("description")).endsWith(".").hasSizeGreaterThan(15);
    }
    Map<String, String> real = real("syncguard", SyncGuardProperties.class);
    // What Spring Boot reads for every endpoint and every health indicator, under their names.
    real.put("management.health.syncguard.enabled", "java.lang.Boolean true");
    real.put(
        "management.endpoint.syncguard.access",
        "org.springframework.boot.actuate.endpoint.Access unrestricted");
    real.put("management.endpoint.syncguard.cache.time-to-live", "java.time.Duration 0ms");
    assertThat(described).isEqualTo(real);
  }
}
