package dev.mintmark.verify;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Passes on what programs and one server on this machine send each other, unless it is cut: then
 * neither receives anything, and no connection is closed, as in a network that loses every packet.
 * What was sent meanwhile arrives after the cut has ended. It can also lose single answers: the
 * server gets the request, and the connection is closed when the server answers. Safe for use by
 * many threads.
 */
final class Relay implements AutoCloseable {
  private static final int BUFFER_BYTES = 16 * 1024;

  private final ServerSocket socket;
  private final int serverPort;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private boolean isCut;
  private int answersToLose;

  /**
   * @param serverPort the port of 127.0.0.1 that connections lead to
   */
  Relay(int serverPort) {
    this.serverPort = serverPort;
    try {
      socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    run(this::accept);
  }

  /** The port that programs connect to. */
  int port() {
    return socket.getLocalPort();
  }

  /** Cuts all connections, or ends that. */
  synchronized void cut(boolean cut) {
    isCut = cut;
    notifyAll();
  }

  /** Closes each of the next connections on which the server answers, without its answer. */
  synchronized void loseAnswers(int count) {
    answersToLose = count;
  }

  /** How many answers are still to be lost. */
  synchronized int answersToLose() {
    return answersToLose;
  }

  private synchronized boolean losesAnswer() {
    boolean loses = answersToLose > 0;
    if (loses) {
      answersToLose--;
    }
    return loses;
  }

  private synchronized void awaitPassage() throws InterruptedException {
    while (isCut) {
      wait();
    }
  }

  private void accept() {
    while (!socket.isClosed()) {
      try {
        Socket client = opened(socket.accept());
        run(() -> connect(client));
      } catch (IOException e) {
        // It is closed.
      }
    }
  }

  private void connect(Socket client) {
    try {
      awaitPassage();
      Socket server = opened(new Socket(InetAddress.getLoopbackAddress(), serverPort));
      run(() -> pass(server, client, true));
      pass(client, server, false);
    } catch (IOException | InterruptedException e) {
      close(client);
    }
  }

  private Socket opened(Socket socket) throws IOException {
    socket.setTcpNoDelay(true);
    open.add(socket);
    return socket;
  }

  private void pass(Socket from, Socket to, boolean isAnswer) {
    byte[] buffer = new byte[BUFFER_BYTES];
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        awaitPassage();
        if (isAnswer && losesAnswer()) {
          return;
        }
        out.write(buffer, 0, read);
      }
      awaitPassage();
    } catch (IOException | InterruptedException e) {
      // One of the two is gone, which the other sees now.
    } finally {
      close(from);
      close(to);
    }
  }

  private void close(Socket connection) {
    open.remove(connection);
    try {
      connection.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void run(Runnable work) {
    Thread thread = new Thread(work, "relay");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Set.copyOf(open).forEach(this::close);
    cut(false);
  }
}
