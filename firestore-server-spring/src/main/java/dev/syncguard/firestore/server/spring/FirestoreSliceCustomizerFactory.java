package dev.syncguard.firestore.server.spring;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.test.context.TestContextAnnotationUtils;

/** Makes the application of a {@link DataFirestoreTest} a part of what it would be. */
final class FirestoreSliceCustomizerFactory implements ContextCustomizerFactory {

  @Override
  public @Nullable ContextCustomizer createContextCustomizer(
      Class<?> testClass, List<ContextConfigurationAttributes> attributes) {
    DataFirestoreTest slice =
        TestContextAnnotationUtils.findMergedAnnotation(testClass, DataFirestoreTest.class);
    return slice == null ? null : new Slice(slice);
  }

  /** A record, because equal ones share an application in Spring's cache; annotations are equal if they say the same. */
  private record Slice(DataFirestoreTest slice) implements ContextCustomizer {
    @Override
    public void customizeContext(
        ConfigurableApplicationContext context, MergedContextConfiguration configuration) {
      context
          .getEnvironment()
          .getPropertySources()
          .addFirst(new MapPropertySource(
              "Firestore slice",
              Map.of(EnableAutoConfiguration.ENABLED_OVERRIDE_PROPERTY, "false")));
      context
          .getBeanFactory()
          .registerSingleton("firestoreSliceFilter", new FirestoreSliceFilter(slice, context));
    }
  }
}
