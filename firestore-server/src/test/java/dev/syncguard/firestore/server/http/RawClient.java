package dev.syncguard.firestore.server.http;

import dev.syncguard.firestore.server.FirestoreServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;

/** A client that says exactly what it is told to, byte by byte. */
public final class RawClient implements AutoCloseable {
  private final Socket socket;

  public RawClient(FirestoreServer server) throws IOException {
    socket = new Socket();
    socket.setReceiveBufferSize(4 << 10); // the system must not take what we do not read
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
    socket.setSoTimeout(60_000);
  }

  public void send(String text) throws IOException {
    send(text.getBytes(StandardCharsets.US_ASCII));
  }

  public void send(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
  }

  /** Reads until the text has come, or until the server has closed the connection. */
  public String readUntil(String end) throws IOException {
    StringBuilder answer = new StringBuilder();
    while (answer.indexOf(end) < 0) {
      int next = read();
      if (next < 0) {
        break;
      }
      answer.append((char) next);
    }
    return answer.toString();
  }

  /** Reads all that comes until the server closes the connection. */
  public void drain() throws IOException {
    while (read() >= 0) {
      // nobody wants it
    }
  }

  /** Reads one byte, or returns -1 when the server has closed the connection. */
  public int read() throws IOException {
    try {
      return socket.getInputStream().read();
    } catch (SocketException e) {
      return -1; // closed, with something that we had sent and it had not read
    }
  }

  /** Returns whether the server has left the connection open so far. */
  public boolean isOpen() {
    try {
      socket.setSoTimeout(200);
      return read() >= 0;
    } catch (SocketTimeoutException e) {
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
