package dev.syncguard.fence;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import javax.sql.DataSource;

/** Resources that fail the test as soon as anybody asks them for anything. */
final class Unreachable {

  private Unreachable() {}

  static DataSource database() {
    return of(DataSource.class);
  }

  static Connection connection() {
    return of(Connection.class);
  }

  private static <T> T of(Class<T> type) {
    return type.cast(Proxy.newProxyInstance(
        Unreachable.class.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
          throw new AssertionError("It was asked for " + method.getName());
        }));
  }
}
