package dev.syncguard.fence.web;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** Sends what a well-behaved client never would. */
final class RawHttp {

  private RawHttp() {}

  /** Returns everything that the service answers to a PUT with these header lines. */
  static String put(URI address, String body, String... headerLines) throws IOException {
    try (Socket socket = new Socket(address.getHost(), address.getPort())) {
      socket.setSoTimeout(60_000);
      StringBuilder request = new StringBuilder("PUT " + address.getPath() + " HTTP/1.1\r\n")
          .append("Host: 127.0.0.1\r\nConnection: close\r\nContent-Type: text/plain\r\n")
          .append("Content-Length: " + body.getBytes(StandardCharsets.UTF_8).length + "\r\n");
      for (String line : headerLines) {
        request.append(line).append("\r\n");
      }
      socket
          .getOutputStream()
          .write(request.append("\r\n").append(body).toString().getBytes(StandardCharsets.UTF_8));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
