package dev.syncguard.fence;

import dev.syncguard.lock.testkit.TemporaryDirectory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.TimeUnit;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.exceptions.JedisException;

/** A Redis server of our own. */
final class RedisProcess implements AutoCloseable {

  private static final long PATIENCE_SECONDS = 60;

  private final TemporaryDirectory directory = new TemporaryDirectory();
  private final int port;
  private final Process process;

  RedisProcess() throws IOException, InterruptedException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    process = new ProcessBuilder(
            "redis-server",
            "--port",
            Integer.toString(port),
            "--bind",
            "127.0.0.1",
            "--save",
            "",
            "--dir",
            directory.path().toString())
        .redirectErrorStream(true)
        .redirectOutput(directory.path().resolve("log").toFile())
        .start();
    awaitAnswer();
  }

  String url() {
    return "redis://127.0.0.1:" + port;
  }

  private void awaitAnswer() throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (true) {
      try (RedisClient client = RedisClient.create(url())) {
        client.ping();
        return;
      } catch (JedisException e) {
        if (System.nanoTime() > deadline || !process.isAlive()) {
          throw e;
        }
        TimeUnit.MILLISECONDS.sleep(20);
      }
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
    try {
      process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    directory.close();
  }
}
