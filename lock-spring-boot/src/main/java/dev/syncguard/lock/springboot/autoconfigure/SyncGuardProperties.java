package dev.syncguard.lock.springboot.autoconfigure;

import dev.syncguard.lock.springboot.LockedAdvisor;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The {@code syncguard.*} properties; what they mean is in {@code spring-configuration-metadata.json}.
 *
 * @param enabled whether there are locks at all
 * @param store which store to use, if the application has several
 * @param dataSource the name of the {@code DataSource} bean to use, if there are several
 * @param closeTimeout how long giving back leases may take when the application ends
 */
@ConfigurationProperties("syncguard")
public record SyncGuardProperties(
    @DefaultValue("true") boolean enabled,
    @Nullable Store store,
    @Nullable String dataSource,
    @DefaultValue("5s") Duration closeTimeout,
    @DefaultValue Postgres postgres,
    @DefaultValue Sqlite sqlite,
    @DefaultValue Redis redis,
    @DefaultValue Firestore firestore,
    @DefaultValue Locked locked,
    @DefaultValue Shedlock shedlock,
    @DefaultValue LockRegistry lockRegistry,
    @DefaultValue Console console) {

  /** How PostgreSQL is used. */
  public record Postgres(
      @Nullable String schema,
      @DefaultValue("syncguard_locks") String lockTable,
      @DefaultValue("syncguard_fence_counters") String fenceTable,
      @DefaultValue("true") boolean setUpSchema,
      @DefaultValue("5s") Duration timeout) {}

  /** Where the SQLite file of the locks is. */
  public record Sqlite(@Nullable Path file) {}

  /** How Redis is used. */
  public record Redis(
      @Nullable String url,
      @Nullable String keyPrefix,
      @DefaultValue("0") int minReplicasAcked,
      @DefaultValue("1s") Duration replicaTimeout) {}

  /** How Firestore is used. */
  public record Firestore(
      @DefaultValue("locks") String collection,
      @DefaultValue("fence_counters") String fenceCollection,
      @DefaultValue("10s") Duration timeout) {}

  /** What holds for {@code @Locked} methods that do not say it themselves. */
  public record Locked(
      @DefaultValue("30s") Duration ttl,
      @DefaultValue("5s") Duration waitUpTo,
      @DefaultValue("" + LockedAdvisor.DEFAULT_ORDER) int order) {}

  /** How names of ShedLock become keys. */
  public record Shedlock(@DefaultValue("shedlock:") String keyPrefix) {}

  /** How the locks of Spring Integration are held. */
  public record LockRegistry(
      @DefaultValue("lock-registry:") String keyPrefix,
      @DefaultValue("30s") Duration ttl,
      @DefaultValue("1d") Duration maxHold) {}

  /** How the console is served, if it is. Its token is in no text. */
  public record Console(
      @Nullable String token,
      @DefaultValue("/actuator/console") String path,
      @DefaultValue List<String> hosts,
      @DefaultValue("false") boolean admin) {

    @Override
    public String toString() {
      return "Console[" + path + "]";
    }
  }
}
