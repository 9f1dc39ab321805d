package dev.syncguard.firestore.server.junit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives the tests of a class a Firestore of their own: parameters of type {@code Firestore} and {@code FirestoreServer}
 * are filled in. It is started before the first test, emptied after each, and stopped after the last.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(FirestoreExtension.class)
public @interface FirestoreTest {
  /** Returns the project that the client uses. */
  String project() default "demo-test";

  /**
   * Returns the file of security rules for everybody but the client that is filled in, which is the administrator; empty
   * for none, and then nobody else gets in. The path starts where the tests run, which for Maven is the module.
   */
  String rules() default "";
}
