package dev.syncguard.lock.redis;

import dev.syncguard.lock.LockException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.time.Duration;
import java.util.Optional;
import javax.net.SocketFactory;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.apache.commons.pool2.PooledObject;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionFactory;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.exceptions.JedisConnectionException;

/**
 * Opens connections, and finds out in time whether only one side encrypts: both then merely hang up or wait for each other,
 * which looks like any other trouble, and waiting does not mend it. Thread-safe.
 *
 * <p>A server that does not encrypt waits for the rest of what it takes for a command, so the driver would learn of it only
 * from its timeouts. Therefore the first connection is preceded by a handshake of our own, which is not as patient.
 */
final class DiagnosingConnectionFactory extends ConnectionFactory {

  private static final int PATIENCE_MILLIS = (int) Duration.ofSeconds(1).toMillis();

  /** A server that encrypts answers a greeting sooner; if not, it gets a wrong one in addition, which does no harm. */
  private static final int HANDSHAKE_MILLIS = 500;

  private final HostAndPort server;
  private final boolean encrypting;
  private volatile boolean reached;

  DiagnosingConnectionFactory(HostAndPort server, JedisClientConfig config, boolean encrypting) {
    super(server, config);
    this.server = server;
    this.encrypting = encrypting;
  }

  @Override
  public PooledObject<Connection> makeObject() throws Exception {
    if (encrypting && !reached && isSilentAfterGreeting() && answersPlainText()) {
      throw unusable(plainText());
    }
    try {
      PooledObject<Connection> made = super.makeObject();
      reached = true;
      return made;
    } catch (JedisConnectionException e) {
      Optional<LockException> reason = reached ? Optional.empty() : examine();
      if (reason.isPresent()) {
        throw unusable(reason.get());
      }
      throw e;
    }
  }

  private static JedisConnectionException unusable(LockException reason) {
    return new JedisConnectionException("The connection cannot be used", reason);
  }

  private static LockException plainText() {
    return LockException.invalidArgument("The Redis server does not encrypt on this port; use its"
        + " TLS port, or redis:// instead of rediss://");
  }

  private Optional<LockException> examine() {
    if (encrypting && answersPlainText()) {
      return Optional.of(plainText());
    }
    if (!encrypting && answersTls()) {
      return Optional.of(LockException.invalidArgument(
          "The Redis server encrypts on this port; use rediss:// instead of redis://"));
    }
    return Optional.empty();
  }

  private boolean isSilentAfterGreeting() {
    try (SSLSocket socket = (SSLSocket) connect(SSLSocketFactory.getDefault())) {
      socket.setSoTimeout(HANDSHAKE_MILLIS);
      socket.startHandshake();
      return false;
    } catch (SocketTimeoutException e) {
      return true;
    } catch (IOException e) {
      // Nobody there, or somebody who answers: the driver will say what is wrong.
      return false;
    }
  }

  private boolean answersPlainText() {
    try (Socket socket = connect(SocketFactory.getDefault())) {
      socket.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.US_ASCII));
      int first = socket.getInputStream().read();
      return first == '+' || first == '-';
    } catch (IOException e) {
      return false;
    }
  }

  private boolean answersTls() {
    try (SSLSocket socket = (SSLSocket) connect(SSLSocketFactory.getDefault())) {
      socket.startHandshake();
      return true;
    } catch (SSLHandshakeException e) {
      // Whoever shows a certificate encrypts, whether we trust it or not.
      return e.getCause() instanceof CertificateException;
    } catch (IOException e) {
      return false;
    }
  }

  private Socket connect(SocketFactory sockets) throws IOException {
    Socket socket = sockets.createSocket();
    socket.connect(new InetSocketAddress(server.getHost(), server.getPort()), PATIENCE_MILLIS);
    socket.setSoTimeout(PATIENCE_MILLIS);
    return socket;
  }
}
