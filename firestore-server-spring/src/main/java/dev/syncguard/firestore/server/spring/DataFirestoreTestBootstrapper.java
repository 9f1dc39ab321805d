package dev.syncguard.firestore.server.spring;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.test.context.SpringBootTestContextBootstrapper;
import org.springframework.test.context.TestContextAnnotationUtils;

/** Starts the application of a {@link DataFirestoreTest} as Spring Boot starts that of its own tests. */
final class DataFirestoreTestBootstrapper extends SpringBootTestContextBootstrapper {

  @Override
  protected String @Nullable [] getProperties(Class<?> testClass) {
    DataFirestoreTest slice =
        TestContextAnnotationUtils.findMergedAnnotation(testClass, DataFirestoreTest.class);
    return slice == null ? null : slice.properties();
  }
}
