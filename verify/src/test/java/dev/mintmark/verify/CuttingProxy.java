package dev.mintmark.verify;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Stands between a program and a PostgreSQL and counts what the program sends, one message after
 * another, from when it first names a text; at the one it was told of it does something to one of
 * the two, and breaks the connection. Without TLS.
 */
final class CuttingProxy implements AutoCloseable {
  private static final int LENGTH_BYTES = 4;

  private final ServerSocket socket;
  private final byte[] beginning;
  private final AtomicInteger count = new AtomicInteger();
  private final AtomicReference<@Nullable Cut> next = new AtomicReference<>();
  private volatile int port;

  /** What is done at which message, before the server gets it or right behind that. */
  private record Cut(int message, boolean behind, Runnable what) {}

  /**
   * @param beginning what a message has in it from which on they are counted
   */
  CuttingProxy(String beginning) {
    this.beginning = beginning.getBytes(StandardCharsets.UTF_8);
    try {
      socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    start(this::accept);
  }

  /** The port that programs connect to. */
  int port() {
    return socket.getLocalPort();
  }

  /** Where new connections lead to. */
  void leadTo(int serverPort) {
    port = serverPort;
  }

  /** Counts from 0 again, and does nothing. */
  void reset() {
    next.set(null);
    count.set(0);
  }

  /** Counts from 0 again, and does something at a message, from 1. */
  void cutAt(int message, boolean behind, Runnable what) {
    reset();
    next.set(new Cut(message, behind, what));
  }

  /** How many messages were counted. */
  int messages() {
    return count.get();
  }

  /** Whether what was to be done is done. */
  boolean hasCut() {
    return next.get() == null;
  }

  private void accept() {
    while (!socket.isClosed()) {
      try {
        Socket client = socket.accept();
        Socket server = new Socket(InetAddress.getLoopbackAddress(), port);
        client.setTcpNoDelay(true);
        server.setTcpNoDelay(true);
        start(() -> answer(server, client));
        start(() -> ask(client, server));
      } catch (IOException e) {
        // The test is over, or the server is not there: the program will say so.
      }
    }
  }

  private static void start(Runnable work) {
    Thread thread = new Thread(work, "proxy");
    thread.setDaemon(true);
    thread.start();
  }

  private static void answer(Socket from, Socket to) {
    try (from;
        to) {
      InputStream in = from.getInputStream();
      in.transferTo(to.getOutputStream());
    } catch (IOException e) {
      // One of the two is gone, and now the other hears of it.
    }
  }

  private void ask(Socket from, Socket to) {
    try (from;
        to) {
      DataInputStream in = new DataInputStream(from.getInputStream());
      DataOutputStream out = new DataOutputStream(to.getOutputStream());
      byte[] startup = message(in, in.readInt());
      out.writeInt(startup.length + LENGTH_BYTES);
      out.write(startup);
      out.flush();
      boolean counts = false;
      while (true) {
        int type = in.readUnsignedByte();
        byte[] body = message(in, in.readInt());
        counts = counts || contains(body);
        if (counts && pass(out, type, body)) {
          return;
        } else if (!counts) {
          send(out, type, body);
        }
      }
    } catch (IOException e) {
      // One of the two is gone, and now the other hears of it.
    }
  }

  /** Returns whether the connection is to end. */
  private boolean pass(OutputStream out, int type, byte[] body) throws IOException {
    int number = count.incrementAndGet();
    Cut cut = next.get();
    boolean due = cut != null && number >= cut.message() && next.compareAndSet(cut, null);
    if (cut == null || !due || cut.behind()) {
      send(new DataOutputStream(out), type, body);
    }
    if (cut != null && due) {
      cut.what().run();
    }
    return due;
  }

  private static void send(DataOutputStream out, int type, byte[] body) throws IOException {
    byte[] message = new byte[1 + LENGTH_BYTES + body.length];
    message[0] = (byte) type;
    int length = LENGTH_BYTES + body.length;
    for (int i = 0; i < LENGTH_BYTES; i++) {
      message[1 + i] = (byte) (length >>> (Byte.SIZE * (LENGTH_BYTES - 1 - i)));
    }
    System.arraycopy(body, 0, message, 1 + LENGTH_BYTES, body.length);
    out.write(message);
    out.flush();
  }

  private static byte[] message(DataInputStream in, int length) throws IOException {
    byte[] body = new byte[length - LENGTH_BYTES];
    in.readFully(body);
    return body;
  }

  private boolean contains(byte[] body) {
    for (int at = 0; at + beginning.length <= body.length; at++) {
      if (Arrays.equals(body, at, at + beginning.length, beginning, 0, beginning.length)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
