package dev.syncguard.firestore.server.junit;

import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.FirestoreOptions;
import dev.syncguard.firestore.server.FirestoreServer;
import dev.syncguard.firestore.server.FirestoreServerBuilder;
import java.nio.file.Path;
import java.util.Optional;
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
    static Running start(FirestoreTest settings) {
      FirestoreServerBuilder builder = FirestoreServer.builder();
      if (!settings.rules().isEmpty()) {
        builder.rules(Path.of(settings.rules()));
      }
      FirestoreServer server = builder.start();
      Firestore client = FirestoreOptions.newBuilder()
          .setProjectId(settings.project())
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
    FirestoreTest settings = settings(context.getRequiredTestClass());
    return outermostClass(context)
        .getStore(NAMESPACE)
        .computeIfAbsent(Running.class, key -> Running.start(settings), Running.class);
  }

  /** Returns the annotation of the outermost class that has one. */
  private static FirestoreTest settings(Class<?> testClass) {
    Class<?> outer = testClass.getEnclosingClass();
    Optional<FirestoreTest> own = AnnotationSupport.findAnnotation(testClass, FirestoreTest.class);
    return outer == null || (own.isPresent() && !isAnnotated(outer))
        ? own.orElseThrow()
        : settings(outer);
  }

  private static boolean isAnnotated(Class<?> testClass) {
    Class<?> outer = testClass.getEnclosingClass();
    return AnnotationSupport.isAnnotated(testClass, FirestoreTest.class)
        || (outer != null && isAnnotated(outer));
  }

  /** Returns the context that ends with the last test of the class, nested ones included. */
  private static ExtensionContext outermostClass(ExtensionContext context) {
    ExtensionContext outermost = context;
    for (ExtensionContext each = context;
        each.getTestClass().isPresent();
        each = each.getParent().orElseThrow()) {
      outermost = each;
    }
    return outermost;
  }
}
