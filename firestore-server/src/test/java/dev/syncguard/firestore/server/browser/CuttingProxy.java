package dev.syncguard.firestore.server.browser;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A network between a browser and the server that can break: all connections go through it, and it can cut them. */
final class CuttingProxy implements Network {
  private final ServerSocket entry;
  private final int server;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();

  CuttingProxy(int server) throws IOException {
    this.server = server;
    this.entry = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    start(this::accept);
  }

  @Override
  public String address() {
    return "127.0.0.1:" + entry.getLocalPort();
  }

  private void accept() {
    try {
      while (true) {
        Socket browser = entry.accept();
        Socket ours = new Socket(InetAddress.getLoopbackAddress(), server);
        browser.setTcpNoDelay(true);
        ours.setTcpNoDelay(true);
        open.add(browser);
        start(() -> copy(browser, ours));
        start(() -> copy(ours, browser));
      }
    } catch (IOException e) {
      // closed
    }
  }

  private void copy(Socket from, Socket to) {
    byte[] buffer = new byte[64 << 10];
    try (from;
        to;
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream()) {
      for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
        out.write(buffer, 0, length);
      }
    } catch (IOException e) {
      // cut
    } finally {
      open.remove(from);
    }
  }

  /** Breaks every connection there is, wherever it is in what it says. */
  @Override
  public void cut() throws IOException {
    for (Socket socket : open) {
      socket.setSoLinger(true, 0);
      socket.close();
    }
  }

  private static void start(Runnable task) {
    Thread thread = new Thread(task, "cutting-proxy");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() throws IOException {
    entry.close();
    cut();
  }
}
