package dev.syncguard.firestore.server.junit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Gives the tests of a class a Firestore of their own: parameters of type {@code Firestore} and {@code FirestoreServer}
 * are filled in. It is started before the first test, and stopped after the last; after each it is as it was at the start.
 * Where JUnit runs tests in parallel, classes run beside each other, but the tests of one run one after the other.
 *
 * <p>Paths start where the tests run, which for Maven is the module.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(FirestoreExtension.class)
@ResourceLock(providers = ServerOfAClass.class)
public @interface FirestoreTest {
  /** Returns the project that the client uses. */
  String project() default "demo-test";

  /**
   * Returns the file of security rules for everybody but the client that is filled in, which is the administrator; empty
   * for none, and then nobody else gets in.
   */
  String rules() default "";

  /** Returns a {@code firestore.indexes.json} with composite indexes, exemptions and TTL policies; empty for none. */
  String indexes() default "";

  /** Returns whether queries are refused for which production would want an index that the file does not have. */
  boolean strictIndexes() default false;

  /** Returns a directory in which everything is kept over restarts; empty to forget it at the end. */
  String dataDirectory() default "";

  /**
   * Returns what every test begins with: a directory that the official emulator or {@code FirestoreServer.exportTo} has
   * exported to; empty for nothing.
   */
  String importFrom() default "";

  /** Returns what becomes of the documents after a test. */
  Isolation isolation() default Isolation.EACH_TEST;

  /** After what the documents are as they were at the start. */
  enum Isolation {
    /** After each test. */
    EACH_TEST,
    /** After the last test of the class: tests that build on each other, in an order of their own. */
    EACH_CLASS
  }
}
