package dev.syncguard.benchmarks.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.net.URI;
import org.postgresql.ds.PGSimpleDataSource;

/** The pool of connections that everybody is given. */
final class Pools {

  private Pools() {}

  static HikariDataSource open(String url, int connections) {
    URI address = URI.create(url);
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setServerNames(new String[] {address.getHost()});
    source.setPortNumbers(new int[] {address.getPort()});
    source.setDatabaseName(address.getPath().substring(1));
    source.setUser(address.getUserInfo());
    HikariConfig config = new HikariConfig();
    config.setDataSource(source);
    config.setMaximumPoolSize(connections);
    return new HikariDataSource(config);
  }
}
