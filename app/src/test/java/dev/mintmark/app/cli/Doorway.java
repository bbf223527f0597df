package dev.mintmark.app.cli;

import dev.mintmark.fixtures.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A port that leads to a server on this machine while it is open. While it is shut, connections are
 * refused, and those from before are closed, as when the server has stopped.
 */
final class Doorway implements AutoCloseable {
  private final int port = Ports.free();
  private final int serverPort;
  private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
  private volatile @Nullable ServerSocket listening;

  /** Begins shut. */
  Doorway(int serverPort) {
    this.serverPort = serverPort;
  }

  int port() {
    return port;
  }

  void open() {
    try {
      ServerSocket socket = new ServerSocket(port, 50, InetAddress.getLoopbackAddress());
      listening = socket;
      run(() -> accept(socket));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void shut() {
    ServerSocket socket = listening;
    if (socket != null) {
      close(socket);
    }
    Set.copyOf(connections).forEach(this::end);
  }

  private void accept(ServerSocket socket) {
    while (!socket.isClosed()) {
      try {
        Socket client = opened(socket.accept());
        Socket server = opened(new Socket(InetAddress.getLoopbackAddress(), serverPort));
        if (socket.isClosed()) {
          end(client);
          end(server);
        }
        run(() -> pass(client, server));
        run(() -> pass(server, client));
      } catch (IOException e) {
        // It is shut.
      }
    }
  }

  private Socket opened(Socket socket) throws IOException {
    socket.setTcpNoDelay(true);
    connections.add(socket);
    return socket;
  }

  private void pass(Socket from, Socket to) {
    try {
      var unused = from.getInputStream().transferTo(to.getOutputStream());
    } catch (IOException e) {
      // One of the two is gone, which the other sees now.
    } finally {
      end(from);
      end(to);
    }
  }

  private void end(Socket connection) {
    connections.remove(connection);
    close(connection);
  }

  private static void close(AutoCloseable socket) {
    try {
      socket.close();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static void run(Runnable work) {
    Thread thread = new Thread(work, "doorway");
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() {
    shut();
  }
}
