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
  private Streams streams;
  private boolean isOver;

  private KeptConnection(Opening opening) throws IOException {
    this.opening = opening;
    this.streams = Streams.of(opening.open());
  }

  /** Opens a socket to the server. */
  interface Opening {
    Socket open() throws IOException;
  }

  private record Streams(Socket socket, OutputStream out, BufferedReader in) {
    static Streams of(Socket socket) throws IOException {
      return new Streams(
          socket,
          socket.getOutputStream(),
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1)));
    }
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
      streams.socket.close();
      streams = Streams.of(opening.open());
      isOver = false;
    }
    streams.out.write(request);
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

  private String line() throws IOException {
    String line = streams.in.readLine();
    if (line == null) {
      throw new EOFException("the server closed the connection in an answer");
    }
    return line;
  }

  private String body(int length) throws IOException {
    char[] body = new char[length];
    int read = 0;
    while (read < length) {
      int more = streams.in.read(body, read, length - read);
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
    streams.socket.close();
  }
}
