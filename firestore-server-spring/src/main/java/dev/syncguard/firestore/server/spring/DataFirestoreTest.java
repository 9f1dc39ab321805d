package dev.syncguard.firestore.server.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.annotation.ComponentScan.Filter;
import org.springframework.core.annotation.AliasFor;
import org.springframework.test.context.BootstrapWith;
import org.springframework.test.context.junit.jupiter.SpringExtension;

/**
 * A test of the part of a Spring Boot application that talks to Firestore, as {@code @DataMongoTest} is for MongoDB: of the
 * classes that the application scans for, only those with {@code @Repository} and the included ones become beans, automatic
 * configuration is off but for what resolves properties, and there are a {@code Firestore} and a {@code FirestoreServer} as
 * {@link EmbeddedFirestore} gives them. Use {@code @Import} for single classes, {@code @ImportAutoConfiguration} for more
 * automatic configuration, and {@code @SpringBootTest @EmbeddedFirestore} for the whole application.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Documented
@Inherited
@BootstrapWith(DataFirestoreTestBootstrapper.class)
@ExtendWith(SpringExtension.class)
@ImportAutoConfiguration
@EmbeddedFirestore
public @interface DataFirestoreTest {
  /** Returns properties of the application, each like {@code name=value}. */
  String[] properties() default {};

  /** Returns whether classes with {@code @Repository} are included without being named. */
  boolean useDefaultFilters() default true;

  /** Returns which other classes that the application scans for become beans. */
  Filter[] includeFilters() default {};

  /** Returns which classes do not become beans although they are included. */
  Filter[] excludeFilters() default {};

  /** Returns automatic configuration that the slice would import, and shall not. */
  @AliasFor(annotation = ImportAutoConfiguration.class, attribute = "exclude")
  Class<?>[] excludeAutoConfiguration() default {};

  /** Returns the project that the client uses. */
  @AliasFor(annotation = EmbeddedFirestore.class, attribute = "project")
  String project() default "demo-test";

  /** Returns the file of security rules for everybody but the client. */
  @AliasFor(annotation = EmbeddedFirestore.class, attribute = "rules")
  String rules() default "";

  /** Returns a {@code firestore.indexes.json}. */
  @AliasFor(annotation = EmbeddedFirestore.class, attribute = "indexes")
  String indexes() default "";

  /** Returns whether queries are refused for which production would want an index that the file does not have. */
  @AliasFor(annotation = EmbeddedFirestore.class, attribute = "strictIndexes")
  boolean strictIndexes() default false;

  /** Returns what every test begins with: a directory that the official emulator has exported to. */
  @AliasFor(annotation = EmbeddedFirestore.class, attribute = "importFrom")
  String importFrom() default "";

  /** Returns whether the documents are as they were at the start after each test, or stay for the next. */
  @AliasFor(annotation = EmbeddedFirestore.class, attribute = "reset")
  boolean reset() default true;
}
