package dev.syncguard.lock.springboot.autoconfigure;

import dev.syncguard.lock.jdbc.PostgresLockBackend;
import dev.syncguard.lock.jdbc.SqliteLockBackend;
import dev.syncguard.lock.spi.LockBackend;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.util.ClassUtils;

/** Finds the application's database, and asks it what it is. */
final class JdbcStoreFinder implements StoreFinder {

  private static final String SQLITE_URL = "jdbc:sqlite:";

  private final ListableBeanFactory beans;
  private final SyncGuardProperties properties;

  JdbcStoreFinder(ListableBeanFactory beans, SyncGuardProperties properties) {
    this.beans = beans;
    this.properties = properties;
  }

  /** What a database says about itself. */
  private record Product(String name, String url) {
    static Product of(DataSource source) {
      try (Connection connection = source.getConnection()) {
        return new Product(
            connection.getMetaData().getDatabaseProductName(),
            connection.getMetaData().getURL());
      } catch (SQLException e) {
        throw new LockStoreException(
            "The database of the DataSource did not answer when SyncGuard asked what it is.",
            "Start the database and check spring.datasource.*.",
            e);
      }
    }
  }

  @Override
  public Set<Store> stores() {
    return Set.of(Store.POSTGRES, Store.SQLITE);
  }

  @Override
  public Found find(Optional<Store> chosen) {
    Path file = properties.sqlite().file();
    if (file != null && chosen.filter(store -> store == Store.POSTGRES).isEmpty()) {
      return Found.of(
          new StoreCandidate(Store.SQLITE, "syncguard.sqlite.file", () -> openSqlite(file)));
    }
    DataSource source = dataSource();
    if (source == null) {
      return Found.nothing();
    }
    Product product = Product.of(source);
    return switch (product.name()) {
      case "PostgreSQL" -> Found.of(postgres(source));
      case "SQLite" -> sqlite(product.url());
      default -> new Found(List.of(), List.of("a DataSource for " + product.name()));
    };
  }

  private @Nullable DataSource dataSource() {
    String chosen = properties.dataSource();
    String[] names = beans.getBeanNamesForType(DataSource.class);
    if (chosen != null) {
      if (!beans.containsBean(chosen) || !beans.isTypeMatch(chosen, DataSource.class)) {
        throw new LockStoreException(
            "syncguard.data-source is " + chosen + ", but no DataSource bean has that name.",
            "These are the DataSource beans: " + String.join(", ", names) + ".");
      }
      return beans.getBean(chosen, DataSource.class);
    }
    DataSource source = beans.getBeanProvider(DataSource.class).getIfUnique();
    if (source == null && names.length > 1) {
      throw new LockStoreException(
          "SyncGuard found several DataSource beans: " + String.join(", ", names) + ".",
          "Say which one keeps the locks: syncguard.data-source=" + names[0]
              + ", or mark one as @Primary.");
    }
    return source;
  }

  private StoreCandidate postgres(DataSource source) {
    return new StoreCandidate(
        Store.POSTGRES, "a DataSource for PostgreSQL", () -> openPostgres(source));
  }

  private LockBackend openPostgres(DataSource source) {
    SyncGuardProperties.Postgres settings = properties.postgres();
    PostgresLockBackend.Builder builder = PostgresLockBackend.builder(outsideOfTransactions(source))
        .tables(settings.lockTable(), settings.fenceTable())
        .timeout(settings.timeout());
    if (settings.schema() != null) {
      builder.schema(settings.schema());
    }
    PostgresLockBackend backend = builder.build();
    try {
      if (settings.setUpSchema()) {
        backend.setupSchema();
      } else {
        backend.verifySchema();
      }
    } catch (RuntimeException e) {
      backend.close();
      throw e;
    }
    return backend;
  }

  /** A lock that joined a transaction of its caller would exist only once that has committed. */
  private static DataSource outsideOfTransactions(DataSource source) {
    boolean known = ClassUtils.isPresent(
        "org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy",
        JdbcStoreFinder.class.getClassLoader());
    return known ? SpringJdbc.unwrap(source) : source;
  }

  /** Loaded only where spring-jdbc is. */
  private static final class SpringJdbc {
    static DataSource unwrap(DataSource source) {
      return source instanceof TransactionAwareDataSourceProxy proxy
              && proxy.getTargetDataSource() != null
          ? proxy.getTargetDataSource()
          : source;
    }
  }

  /** The locks get a file of their own beside that of the application: SQLite has one writer at a time. */
  private Found sqlite(String url) {
    String path = url.startsWith(SQLITE_URL) ? url.substring(SQLITE_URL.length()) : "";
    int settings = path.indexOf('?');
    String name = settings < 0 ? path : path.substring(0, settings);
    if (name.isEmpty() || name.startsWith(":") || name.startsWith("file:")) {
      return new Found(
          List.of(),
          List.of("a DataSource for SQLite without a plain file (set syncguard.sqlite.file)"));
    }
    Path file = Path.of(name + ".locks");
    return Found.of(
        new StoreCandidate(Store.SQLITE, "a DataSource for SQLite", () -> openSqlite(file)));
  }

  private static LockBackend openSqlite(Path file) {
    return SqliteLockBackend.open(file);
  }
}
