package dev.syncguard.firestore.server.spring;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Gives a test of a Spring application a Firestore of its own: beans of type {@code Firestore}, which is the primary one, and
 * {@code FirestoreServer}. Stands beside {@code @SpringBootTest}, {@code @SpringJUnitConfig} or a slice; a slice of the
 * application is named by its classes: {@code @SpringBootTest(classes = Orders.class)}.
 *
 * <p>The server starts with the application and ends with it. Test classes that share an application share the server, so
 * after each test it is as it was at the start. The property {@code FIRESTORE_EMULATOR_HOST} says where it is.
 *
 * <p>Paths start where the tests run, which for Maven is the module.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Inherited
public @interface EmbeddedFirestore {
  /** Returns the project that the client uses. */
  String project() default "demo-test";

  /**
   * Returns the file of security rules for everybody but the client, which is the administrator; empty for none, and then
   * nobody else gets in.
   */
  String rules() default "";

  /** Returns a {@code firestore.indexes.json} with composite indexes, exemptions and TTL policies; empty for none. */
  String indexes() default "";

  /** Returns whether queries are refused for which production would want an index that the file does not have. */
  boolean strictIndexes() default false;

  /** Returns what every test begins with: a directory that the official emulator has exported to; empty for nothing. */
  String importFrom() default "";

  /** Returns whether the documents are as they were at the start after each test, or stay for the next. */
  boolean reset() default true;
}
