package dev.syncguard.firestore.server.junit;

import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.FirestoreOptions;
import dev.syncguard.firestore.server.FirestoreServer;
import dev.syncguard.firestore.server.FirestoreServerBuilder;
import dev.syncguard.firestore.server.index.IndexFile;
import dev.syncguard.firestore.server.junit.FirestoreTest.Isolation;
import java.io.IOException;
import java.nio.file.Files;
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
      FirestoreServerBuilder builder =
          FirestoreServer.builder().strictIndexes(settings.strictIndexes());
      path(settings.rules()).ifPresent(builder::rules);
      path(settings.indexes()).ifPresent(file -> builder.indexes(IndexFile.parse(text(file))));
      path(settings.dataDirectory()).ifPresent(builder::dataDirectory);
      path(settings.importFrom()).ifPresent(builder::importFrom);
      FirestoreServer server = builder.start();
      Firestore client = FirestoreOptions.newBuilder()
          .setProjectId(settings.project())
          .setEmulatorHost(server.emulatorHost())
          .build()
          .getService();
      return new Running(server, client);
    }

    private static Optional<Path> path(String text) {
      return text.isEmpty() ? Optional.empty() : Optional.of(Path.of(text));
    }

    private static String text(Path file) {
      try {
        return Files.readString(file);
      } catch (IOException e) {
        throw new IllegalArgumentException("The file of indexes cannot be read: " + file, e);
      }
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
    if (settings(context).isolation() == Isolation.EACH_TEST) {
      running(context).server().reset();
    }
  }

  private static Running running(ExtensionContext context) {
    FirestoreTest settings = settings(context);
    return owner(context)
        .getStore(NAMESPACE)
        .computeIfAbsent(Running.class, key -> Running.start(settings), Running.class);
  }

  private static FirestoreTest settings(ExtensionContext context) {
    return AnnotationSupport.findAnnotation(
            owner(context).getRequiredTestClass(), FirestoreTest.class)
        .orElseThrow();
  }

  /** Returns the context of the outermost class that has the annotation; it ends with the last test, nested ones included. */
  private static ExtensionContext owner(ExtensionContext context) {
    ExtensionContext outermost = context;
    for (ExtensionContext each = context;
        each.getTestClass().isPresent();
        each = each.getParent().orElseThrow()) {
      if (each.getTestMethod().isEmpty()
          && AnnotationSupport.isAnnotated(each.getTestClass(), FirestoreTest.class)) {
        outermost = each;
      }
    }
    return outermost;
  }
}
