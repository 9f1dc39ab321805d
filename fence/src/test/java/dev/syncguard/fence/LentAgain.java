package dev.syncguard.fence;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import javax.sql.DataSource;

/** A pool of one connection, which does nothing when it is given back. */
final class LentAgain {

  private LentAgain() {}

  static DataSource lending(Connection kept) {
    Connection lent = (Connection) Proxy.newProxyInstance(
        LentAgain.class.getClassLoader(),
        new Class<?>[] {Connection.class},
        (self, method, arguments) -> {
          if (method.getName().equals("close")) {
            return null;
          }
          try {
            return method.invoke(kept, arguments);
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
        });
    return (DataSource) Proxy.newProxyInstance(
        LentAgain.class.getClassLoader(),
        new Class<?>[] {DataSource.class},
        (self, method, arguments) -> lent);
  }
}
