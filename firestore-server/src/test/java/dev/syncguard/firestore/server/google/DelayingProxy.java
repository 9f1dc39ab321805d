package dev.syncguard.firestore.server.google;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Stands before a server on this machine and lets each of its answers arrive later, as if the server were far away. */
final class DelayingProxy implements AutoCloseable {
  private record Part(long dueNanos, ByteString bytes) {}

  private final ServerSocket socket;
  private final int serverPort;
  private final Duration delay;
  private final List<Socket> open = new CopyOnWriteArrayList<>();

  DelayingProxy(String serverHost, Duration delay) throws IOException {
    this.serverPort = Integer.parseInt(serverHost.substring(serverHost.lastIndexOf(':') + 1));
    this.delay = delay;
    this.socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    start(this::accept);
  }

  String host() {
    return "127.0.0.1:" + socket.getLocalPort();
  }

  private void accept() throws IOException {
    while (true) {
      Socket client = opened(socket.accept());
      Socket server = opened(new Socket(InetAddress.getLoopbackAddress(), serverPort));
      connect(client, server, Duration.ZERO);
      connect(server, client, delay);
    }
  }

  private Socket opened(Socket connection) throws IOException {
    connection.setTcpNoDelay(true);
    open.add(connection);
    return connection;
  }

  private void connect(Socket from, Socket to, Duration later) throws IOException {
    InputStream input = from.getInputStream();
    OutputStream output = to.getOutputStream();
    BlockingQueue<Part> underway = new LinkedBlockingQueue<>();
    start(() -> {
      byte[] buffer = new byte[1 << 16];
      int length;
      do {
        length = input.read(buffer);
        ByteString bytes = ByteString.copyFrom(buffer, 0, Math.max(0, length));
        underway.add(new Part(System.nanoTime() + later.toNanos(), bytes));
      } while (length > 0);
    });
    start(() -> {
      for (Part part = underway.take(); !part.bytes().isEmpty(); part = underway.take()) {
        TimeUnit.NANOSECONDS.sleep(part.dueNanos() - System.nanoTime());
        part.bytes().writeTo(output);
      }
      to.close();
    });
  }

  private interface Work {
    void run() throws IOException, InterruptedException;
  }

  private static void start(Work work) {
    Thread thread = new Thread(() -> {
      try {
        work.run();
      } catch (IOException | InterruptedException e) {
        // One side is gone, and so is what the other had to say to it.
      }
    });
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() throws IOException {
    socket.close();
    for (Socket connection : open) {
      connection.close();
    }
  }
}
