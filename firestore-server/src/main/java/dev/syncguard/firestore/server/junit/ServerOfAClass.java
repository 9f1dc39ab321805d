package dev.syncguard.firestore.server.junit;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.parallel.ResourceLocksProvider;

/** Keeps the tests of a class from running at once: the end of each takes back what all of them have written. */
final class ServerOfAClass implements ResourceLocksProvider {
  @Override
  public Set<Lock> provideForClass(Class<?> testClass) {
    return Set.of(new Lock(FirestoreTest.class.getName() + " of " + testClass.getName()));
  }

  @Override
  public Set<Lock> provideForNestedClass(List<Class<?>> enclosing, Class<?> testClass) {
    return provideForClass(testClass);
  }
}
