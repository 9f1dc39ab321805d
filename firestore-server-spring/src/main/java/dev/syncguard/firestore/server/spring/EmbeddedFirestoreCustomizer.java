package dev.syncguard.firestore.server.spring;

import com.google.cloud.firestore.Firestore;
import com.google.cloud.firestore.FirestoreOptions;
import dev.syncguard.firestore.server.FirestoreServer;
import dev.syncguard.firestore.server.FirestoreServerBuilder;
import dev.syncguard.firestore.server.index.IndexFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.MergedContextConfiguration;

/** Puts a server and its client into an application. A record, because equal ones share an application in Spring's cache. */
record EmbeddedFirestoreCustomizer(
    String project, String rules, String indexes, boolean strictIndexes, String importFrom)
    implements ContextCustomizer {
  private static final String SERVER = "embeddedFirestoreServer";

  static EmbeddedFirestoreCustomizer of(EmbeddedFirestore settings) {
    return new EmbeddedFirestoreCustomizer(
        settings.project(),
        settings.rules(),
        settings.indexes(),
        settings.strictIndexes(),
        settings.importFrom());
  }

  @Override
  public void customizeContext(
      ConfigurableApplicationContext context, MergedContextConfiguration configuration) {
    // Before the application: its properties may speak of the address.
    FirestoreServer server = start();
    context
        .getEnvironment()
        .getPropertySources()
        .addFirst(new MapPropertySource(
            "embedded Firestore", Map.of("FIRESTORE_EMULATOR_HOST", server.emulatorHost())));
    DefaultListableBeanFactory beans = (DefaultListableBeanFactory) context.getBeanFactory();
    beans.registerSingleton(SERVER, server);
    beans.registerDisposableBean(SERVER, server::close);
    RootBeanDefinition client =
        new RootBeanDefinition(Firestore.class, () -> client(server.emulatorHost()));
    client.setPrimary(true);
    client.setDestroyMethodName("close");
    client.setDependsOn(SERVER);
    beans.registerBeanDefinition("embeddedFirestore", client);
  }

  private FirestoreServer start() {
    FirestoreServerBuilder builder = FirestoreServer.builder().strictIndexes(strictIndexes);
    path(rules).ifPresent(builder::rules);
    path(indexes).ifPresent(file -> builder.indexes(IndexFile.parse(text(file))));
    path(importFrom).ifPresent(builder::importFrom);
    return builder.start();
  }

  private Firestore client(String host) {
    return FirestoreOptions.newBuilder()
        .setProjectId(project)
        .setEmulatorHost(host)
        .build()
        .getService();
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
}
