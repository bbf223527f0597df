package dev.mintmark.app.http;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/**
 * A connection to a server for one request after the other, for those who load it: the client of
 * the JDK takes more processor time for a request than the server. If the server closes it after an
 * answer, the next request opens another one. Requests are JSON, answers have a Content-Length, and
 * both are in ASCII. For one thread.
 */
public final class KeptConnection implements Closeable {
  private static final String LENGTH = "Content-Length:";
  private static final String CLOSE = "Connection: close";

  /** The place of the status in {@code HTTP/1.1 200 OK}. */
  private static final int STATUS_BEGIN = 9;

  private static final int STATUS_END = 12;

  private static final int DECIMAL = 10;

  private final Opening opening;
  private Socket socket;
  private OutputStream out;
  private BufferedReader in;
  private boolean isOver;

  private KeptConnection(Opening opening) throws IOException {
    this.opening = opening;
    this.socket = opening.open();
    this.out = socket.getOutputStream();
    this.in = reader(socket);
  }

  /** Opens a socket to the server. */
  interface Opening {
    Socket open() throws IOException;
  }

  /** An answer to a request. */
  public record Answer(int status, String body) {}

  /** Connects to the server of a URI. */
  public static KeptConnection to(URI server) throws IOException {
    return through(() -> new Socket(server.getHost(), server.getPort()));
  }

  static KeptConnection through(Opening opening) throws IOException {
    return new KeptConnection(opening);
  }

  /** Returns the bytes of a request. */
  public static byte[] post(String host, String path, String json) {
    String request =
        "POST "
            + path
            + " HTTP/1.1\r\nHost: "
            + host
            + "\r\nContent-Type: application/json\r\nContent-Length: "
            + json.length()
            + "\r\n\r\n"
            + json;
    return request.getBytes(StandardCharsets.US_ASCII);
  }

  /** Sends a request, in one write, and waits for the answer. */
  public Answer send(byte[] request) throws IOException {
    if (isOver) {
      reopen();
    }
    out.write(request);
    int status = Integer.parseInt(line(), STATUS_BEGIN, STATUS_END, DECIMAL);
    int length = 0;
    for (String header = line(); !header.isEmpty(); header = line()) {
      if (header.regionMatches(true, 0, LENGTH, 0, LENGTH.length())) {
        length = Integer.parseInt(header.substring(LENGTH.length()).strip());
      }
      isOver |= header.equalsIgnoreCase(CLOSE);
    }
    return new Answer(status, body(length));
  }

  private void reopen() throws IOException {
    socket.close();
    socket = opening.open();
    out = socket.getOutputStream();
    in = reader(socket);
    isOver = false;
  }

  private static BufferedReader reader(Socket socket) throws IOException {
    return new BufferedReader(
        new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
  }

  private String line() throws IOException {
    String line = in.readLine();
    if (line == null) {
      throw new EOFException("the server closed the connection in an answer");
    }
    return line;
  }

  private String body(int length) throws IOException {
    char[] body = new char[length];
    int read = 0;
    while (read < length) {
      int more = in.read(body, read, length - read);
      if (more < 0) {
        throw new EOFException("the server closed the connection in an answer");
      }
      read += more;
    }
    return new String(body);
  }

  /** Whether the server closes the connection after the last answer. */
  boolean isOver() {
    return isOver;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
