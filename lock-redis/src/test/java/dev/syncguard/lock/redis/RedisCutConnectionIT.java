package dev.syncguard.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.syncguard.lock.Cancellation;
import dev.syncguard.lock.LockException;
import java.util.List;
import org.apache.commons.pool2.BasePooledObjectFactory;
import org.apache.commons.pool2.PooledObject;
import org.apache.commons.pool2.impl.DefaultPooledObject;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.DefaultJedisSocketFactory;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.providers.PooledConnectionProvider;

/**
 * A connection that is cut because its caller gave up is never used again: the driver would open it anew without a password
 * and in database 0.
 */
class RedisCutConnectionIT {

  private static final int DATABASE = 3;

  /** When the caller gives up. */
  private enum Moment {
    BEFORE_THE_REQUEST,
    BEFORE_THE_ANSWER,
    AFTER_THE_ANSWER
  }

  /** A connection on which somebody gives up at a certain moment of the first script. */
  private static final class Interfered extends Connection {
    private final Moment moment;
    private final Cancellation cancellation;

    Interfered(
        int port, DefaultJedisClientConfig config, Moment moment, Cancellation cancellation) {
      super(new DefaultJedisSocketFactory(new HostAndPort("127.0.0.1", port), config), config);
      this.moment = moment;
      this.cancellation = cancellation;
    }

    @Override
    public void sendCommand(CommandArguments command) {
      if (command.getCommand() == Protocol.Command.EVALSHA) {
        cancelAt(Moment.BEFORE_THE_REQUEST);
      }
      super.sendCommand(command);
    }

    @Override
    public List<Object> getMany(int count) {
      cancelAt(Moment.BEFORE_THE_ANSWER);
      List<Object> answers = super.getMany(count);
      cancelAt(Moment.AFTER_THE_ANSWER);
      return answers;
    }

    private void cancelAt(Moment now) {
      if (now == moment) {
        cancellation.cancel();
      }
    }
  }

  private static UnifiedJedis client(
      RedisProcess server, @Nullable String password, Moment moment, Cancellation cancellation) {
    DefaultJedisClientConfig config =
        DefaultJedisClientConfig.builder().database(DATABASE).password(password).build();
    return RedisClient.builder()
        .connectionProvider(new PooledConnectionProvider(new BasePooledObjectFactory<>() {
          @Override
          public Connection create() {
            return new Interfered(server.port(), config, moment, cancellation);
          }

          @Override
          public PooledObject<Connection> wrap(Connection connection) {
            return new DefaultPooledObject<>(connection);
          }

          @Override
          public void destroyObject(PooledObject<Connection> pooled) {
            pooled.getObject().close();
          }
        }))
        .build();
  }

  @ParameterizedTest
  @EnumSource
  void nothingIsTakenInAnotherDatabase(Moment moment) {
    try (RedisProcess server = RedisProcess.start(RedisBinary.SYSTEM);
        Jedis admin = server.jedis()) {
      giveUp(server, null, moment);
      assertThat(admin.dbSize()).as("keys in database 0").isZero();
    }
  }

  @ParameterizedTest
  @EnumSource
  void nothingIsAskedWithoutThePassword(Moment moment) {
    try (RedisProcess server =
            RedisProcess.start(RedisBinary.SYSTEM, "--requirepass", "its-password");
        Jedis admin = server.jedis()) {
      giveUp(server, "its-password", moment);
      assertThat(admin.info("errorstats")).doesNotContain("NOAUTH");
    }
  }

  /** Gives up during an acquisition on a server that does not know our scripts yet. */
  private static void giveUp(RedisProcess server, @Nullable String password, Moment moment) {
    Cancellation cancellation = Cancellation.create();
    try (UnifiedJedis client = client(server, password, moment, cancellation);
        RedisLockBackend backend = RedisLockBackend.over(client)) {
      LockException failure = catchThrowableOfType(
          LockException.class,
          () -> backend.acquire(
              OneServer.key("report"), OneServer.newId(), OneServer.LONG, cancellation));
      assertThat(cancellation.isCancelled()).isTrue();
      assertThat(failure.code()).isEqualTo(LockException.Code.ABORTED);
    }
    try (RedisLockBackend next = RedisLockBackend.connect(server.url() + "/" + DATABASE)) {
      OneServer.take(next, "report", OneServer.LONG);
    }
  }
}
