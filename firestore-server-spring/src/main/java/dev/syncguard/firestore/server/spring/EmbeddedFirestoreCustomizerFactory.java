package dev.syncguard.firestore.server.spring;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.TestContextAnnotationUtils;

/** Looks for {@link EmbeddedFirestore} on a test class, the classes around it, and those that they extend. */
final class EmbeddedFirestoreCustomizerFactory implements ContextCustomizerFactory {

  @Override
  public @Nullable ContextCustomizer createContextCustomizer(
      Class<?> testClass, List<ContextConfigurationAttributes> attributes) {
    EmbeddedFirestore settings =
        TestContextAnnotationUtils.findMergedAnnotation(testClass, EmbeddedFirestore.class);
    return settings == null ? null : EmbeddedFirestoreCustomizer.of(settings);
  }
}
