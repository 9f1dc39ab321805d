package dev.syncguard.lock.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.syncguard.lock.LockException;
import dev.syncguard.lock.LockException.Code;
import java.net.ConnectException;
import java.net.SocketTimeoutException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.util.List;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.exceptions.JedisClusterException;
import redis.clients.jedis.exceptions.JedisClusterOperationException;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.exceptions.JedisMovedDataException;

/** What the driver throws becomes something that a caller can act on. */
class RedisErrorsTest {

  private final RedisErrors errors = new RedisErrors(new RedisKeys("syncguard"));

  @ParameterizedTest
  @CsvSource({
    "LOADING, SERVICE_UNAVAILABLE",
    "READONLY, SERVICE_UNAVAILABLE",
    "CLUSTERDOWN, SERVICE_UNAVAILABLE",
    "MASTERDOWN, SERVICE_UNAVAILABLE",
    "TRYAGAIN, SERVICE_UNAVAILABLE",
    "BUSY, SERVICE_UNAVAILABLE",
    "MISCONF, SERVICE_UNAVAILABLE",
    "NOREPLICAS, SERVICE_UNAVAILABLE",
    "UNBLOCKED, SERVICE_UNAVAILABLE",
    "OOM, SERVICE_UNAVAILABLE",
    "NOAUTH, AUTH_FAILED",
    "WRONGPASS, AUTH_FAILED",
    "NOPERM, AUTH_FAILED",
    "CROSSSLOT, INVALID_ARGUMENT",
    "SGDAMAGED, INTERNAL",
    "SGFENCE, INTERNAL",
    "SGID, INVALID_ARGUMENT",
    "ERR, INTERNAL",
    "WRONGTYPE, INTERNAL",
  })
  void aReplyIsReadByItsCode(String code, Code expected) {
    LockException error = errors.translate(new JedisDataException(code + " the rest is secret"));
    assertThat(error.code()).isEqualTo(expected);
    assertThat(error.getMessage()).doesNotContain("secret");
    assertThat(error.getCause()).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "-OOM secret, SERVICE_UNAVAILABLE",
    "-READONLY secret, SERVICE_UNAVAILABLE",
    "The user executing the script can't run this command or subcommand, AUTH_FAILED",
    "Script attempted to access secret, INTERNAL",
  })
  void whatACommandInsideOfAScriptRepliesIsUnwrappedOnRedis6(String reply, Code expected) {
    String wrapped = "ERR Error running script (call to f_" + "0a".repeat(20)
        + "): @user_script:8: @user_script: 8: " + reply;
    LockException error = errors.translate(new JedisDataException(wrapped));
    assertThat(error.code()).isEqualTo(expected);
    assertThat(error.getMessage()).doesNotContain("secret");
  }

  @Test
  void aPrimaryThatBecameAReplicaBeforeItCouldBeAskedForConfirmationsIsAwayForNow() {
    LockException error = errors.translate(
        new JedisDataException("ERR WAIT cannot be used with replica instances. secret"));
    assertThat(error.code()).isEqualTo(Code.SERVICE_UNAVAILABLE);
    assertThat(error).hasMessageContaining("replica").hasMessageNotContaining("secret");
  }

  @Test
  void theWordsBehindTheCodeDoNotMatter() {
    assertThat(errors
            .translate(new JedisDataException("ERR timeout NOAUTH LOADING"))
            .code())
        .isEqualTo(Code.INTERNAL);
    assertThat(errors.translate(new JedisDataException("loading")).code()).isEqualTo(Code.INTERNAL);
  }

  @Test
  void aServerAtItsLimitOfClientsAsksUsToSlowDown() {
    assertThat(errors
            .translate(new JedisDataException("ERR max number of clients reached"))
            .code())
        .isEqualTo(Code.RATE_LIMITED);
  }

  @Test
  void aCommandThatIsForbiddenInsideAScriptIsAMissingPermission() {
    for (String reply : List.of(
        "ERR ACL failure in script: User x has no permissions to run the 'set' command script: y",
        "ERR The user executing the script can't run this command or subcommand script")) {
      assertThat(errors.translate(new JedisDataException(reply)).code())
          .isEqualTo(Code.AUTH_FAILED);
    }
  }

  @Test
  void aReplyThatCameWhileConnectingIsReadAsWell() {
    JedisException wrapped = new JedisConnectionException(
        "Failed to create", new JedisDataException("WRONGPASS invalid"));
    assertThat(errors.translate(wrapped).code()).isEqualTo(Code.AUTH_FAILED);
  }

  @Test
  void silenceIsATimeout() {
    JedisException silence =
        new JedisConnectionException(new SocketTimeoutException("Read timed out"));
    assertThat(errors.translate(silence).code()).isEqualTo(Code.NETWORK_TIMEOUT);
  }

  @Test
  void aRefusedOrBrokenConnectionIsAnUnavailableService() {
    JedisException refused = new JedisConnectionException(new ConnectException("refused"));
    assertThat(errors.translate(refused).code()).isEqualTo(Code.SERVICE_UNAVAILABLE);
    assertThat(errors.translate(new JedisConnectionException("closed")).code())
        .isEqualTo(Code.SERVICE_UNAVAILABLE);
  }

  @Test
  void anExhaustedPoolIsAnUnavailableService() {
    JedisException exhausted = new JedisException("no", new NoSuchElementException("timeout"));
    assertThat(errors.translate(exhausted).code()).isEqualTo(Code.SERVICE_UNAVAILABLE);
  }

  @Test
  void aClusterInMotionIsAnUnavailableService() {
    assertThat(errors
            .translate(new JedisMovedDataException("MOVED 1 h:1", new HostAndPort("h", 1), 1))
            .code())
        .isEqualTo(Code.SERVICE_UNAVAILABLE);
    assertThat(errors.translate(new JedisClusterOperationException("none")).code())
        .isEqualTo(Code.SERVICE_UNAVAILABLE);
  }

  @Test
  void aCodeIsShownAndWhatOnlyLooksLikeOneIsNot() {
    assertThat(errors.translate(new JedisDataException("AZ secret"))).hasMessageContaining("(AZ)");
    for (String reply : List.of("Secret", "secret words", "@SECRET", "SECRET[")) {
      assertThat(errors.translate(new JedisDataException(reply)))
          .hasMessageContaining("(no code)")
          .hasMessageNotContainingAny("ecret", "SECRET");
    }
  }

  @Test
  void whatWasTranslatedBeforeStaysAsItIs() {
    LockException known = LockException.invalidArgument("known");
    assertThat(errors.translate(new JedisException("no", known))).isSameAs(known);
  }

  @Test
  void aCertificateThatIsNotTrustedIsAMatterOfRights() {
    for (Exception cause :
        List.of(new CertificateException("no"), new CertPathValidatorException("no"))) {
      LockException error = errors.translate(new JedisConnectionException("no", cause));
      assertThat(error.code()).isEqualTo(Code.AUTH_FAILED);
      assertThat(error).hasMessageContaining("trust store");
    }
  }

  @Test
  void whoeverDoesNotSpeakRedisIsNotAskedAgain() {
    LockException error = errors.translate(
        new JedisException("no", new JedisConnectionException("Unknown reply: H")));
    assertThat(error.code()).isEqualTo(Code.INVALID_ARGUMENT);
    assertThat(error).hasMessageContaining("Redis protocol");
  }

  @Test
  void aClientThatWasClosedIsToldFromOneThatFailed() {
    JedisException closed = new JedisException("no", new IllegalStateException("Pool not open"));
    assertThat(errors.translate(closed)).hasMessageContaining("was closed");
    LockException failed = errors.translate(new JedisException("secret"));
    assertThat(failed.code()).isEqualTo(Code.INTERNAL);
    assertThat(failed).hasMessageContaining("JedisException").hasMessageNotContaining("secret");
    assertThat(RedisErrors.outOfStep().code()).isEqualTo(Code.INTERNAL);
  }

  @Test
  void aClusterThatIsDownIsAnUnavailableService() {
    assertThat(errors.translate(new JedisClusterException("CLUSTERDOWN secret")))
        .hasMessageContaining("Cluster is down");
  }

  @ParameterizedTest
  @CsvSource({
    "ERR DB index is out of range, INVALID_ARGUMENT, databases",
    "ERR SELECT is not allowed in cluster mode, INVALID_ARGUMENT, databases",
    "ERR AUTH <password> called without any password configured, AUTH_FAILED, default user",
  })
  void whatTheServerTellsByWordsOnlyIsReadByThem(String reply, Code expected, String hint) {
    LockException error = errors.translate(new JedisDataException(reply));
    assertThat(error.code()).isEqualTo(expected);
    assertThat(error).hasMessageContaining(hint);
  }

  @Test
  void interruptionIsAbortedAndTheFlagStays() {
    LockException error =
        errors.translate(new JedisException("no", new InterruptedException("while waiting")));
    assertThat(Thread.interrupted()).isTrue();
    assertThat(error.code()).isEqualTo(Code.ABORTED);
  }
}
