package dev.syncguard.firestore.server.junit;

import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.FirestoreOptions;
import dev.syncguard.firestore.server.FirestoreServer;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;

/** Carries out {@link FirestoreTest}. */
final class FirestoreExtension implements ParameterResolver, AfterEachCallback {
  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(FirestoreExtension.class);

  /** The server of one test class and its client; closed by JUnit together with the class. */
  private record Running(FirestoreServer server, Firestore client) implements AutoCloseable {
    static Running start(String project) {
      FirestoreServer server = FirestoreServer.builder().start();
      Firestore client = FirestoreOptions.newBuilder()
          .setProjectId(project)
          .setEmulatorHost(server.emulatorHost())
          .build()
          .getService();
      return new Running(server, client);
    }

    @Override
    public void close() throws Exception {
      client.close();
      server.close();
    }
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    return type == Firestore.class || type == FirestoreServer.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    Running running = running(context);
    return parameter.getParameter().getType() == Firestore.class
        ? running.client()
        : running.server();
  }

  @Override
  public void afterEach(ExtensionContext context) {
    running(context).server().clear();
  }

  private static Running running(ExtensionContext context) {
    Class<?> testClass = outermost(context.getRequiredTestClass());
    String project = AnnotationSupport.findAnnotation(testClass, FirestoreTest.class)
        .map(FirestoreTest::project)
        .orElse("demo-test");
    return context
        .getRoot()
        .getStore(NAMESPACE)
        .computeIfAbsent(testClass, key -> Running.start(project), Running.class);
  }

  private static Class<?> outermost(Class<?> testClass) {
    Class<?> outer = testClass;
    while (outer.getEnclosingClass() != null) {
      outer = outer.getEnclosingClass();
    }
    return outer;
  }
}
