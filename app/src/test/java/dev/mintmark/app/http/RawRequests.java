package dev.mintmark.app.http;

import dev.mintmark.fixtures.Patience;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Requests as bytes, also such as no client of HTTP would send. */
final class RawRequests {
  private RawRequests() {}

  static Socket connect(Server server) throws IOException {
    return connect(server.port());
  }

  static Socket connect(int port) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(Math.toIntExact(Patience.MAX.toMillis()));
    return socket;
  }

  static void write(Socket socket, String text) throws IOException {
    OutputStream out = socket.getOutputStream();
    out.write(text.getBytes(StandardCharsets.ISO_8859_1));
    out.flush();
  }
}
