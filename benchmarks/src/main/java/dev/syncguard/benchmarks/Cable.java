package dev.syncguard.benchmarks;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A port that leads to another one of this machine until it is cut: then connections break and new ones are refused. */
final class Cable implements AutoCloseable {

  private final int target;
  private final int port;
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
  private ServerSocket entrance;

  Cable(int target) {
    this.target = target;
    this.entrance = listen(0);
    this.port = entrance.getLocalPort();
  }

  int port() {
    return port;
  }

  private ServerSocket listen(int number) {
    try {
      ServerSocket opened = new ServerSocket();
      opened.setReuseAddress(true);
      opened.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), number));
      start(() -> accept(opened));
      return opened;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void accept(ServerSocket opened) {
    try {
      while (true) {
        Socket client = opened.accept();
        Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
        sockets.add(client);
        sockets.add(server);
        client.setTcpNoDelay(true);
        server.setTcpNoDelay(true);
        start(() -> copy(client, server));
        start(() -> copy(server, client));
      }
    } catch (IOException e) {
      // It was cut.
    }
  }

  private void copy(Socket from, Socket to) {
    try (from;
        to;
        InputStream in = from.getInputStream()) {
      in.transferTo(to.getOutputStream());
    } catch (IOException e) {
      // Either side has gone.
    } finally {
      sockets.remove(from);
      sockets.remove(to);
    }
  }

  private static void start(Runnable work) {
    Thread thread = new Thread(work, "cable");
    thread.setDaemon(true);
    thread.start();
  }

  void cut() throws IOException {
    entrance.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }

  void mend() {
    entrance = listen(port);
  }

  @Override
  public void close() throws IOException {
    cut();
  }
}
