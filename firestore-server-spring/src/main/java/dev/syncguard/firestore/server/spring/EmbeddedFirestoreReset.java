package dev.syncguard.firestore.server.spring;

import dev.syncguard.firestore.server.FirestoreServer;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestContextAnnotationUtils;
import org.springframework.test.context.TestExecutionListener;

/** Makes the documents what they were at the start after each test. */
final class EmbeddedFirestoreReset implements TestExecutionListener {

  @Override
  public void afterTestMethod(TestContext test) {
    EmbeddedFirestore settings = TestContextAnnotationUtils.findMergedAnnotation(
        test.getTestClass(), EmbeddedFirestore.class);
    if (settings != null && settings.reset() && test.hasApplicationContext()) {
      test.getApplicationContext().getBean(FirestoreServer.class).reset();
    }
  }
}
