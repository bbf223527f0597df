package dev.mintmark.app.database;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketAddress;
import javax.net.SocketFactory;

/**
 * Sockets with a time limit of their own for the connection. The driver's {@code connectTimeout} is
 * one limit for all hosts together: if the first host does not answer, the others have a
 * millisecond each. The driver makes an object of this class by its name. Safe for use by many
 * threads.
 */
public final class HostSockets extends SocketFactory {
  private final int connectMillis;

  /**
   * @param connectMillis the limit for each connection
   */
  public HostSockets(String connectMillis) {
    this.connectMillis = Integer.parseInt(connectMillis);
  }

  @Override
  public Socket createSocket() {
    return new Socket() {
      @Override
      public void connect(SocketAddress address, int driverMillis) throws IOException {
        super.connect(address, connectMillis);
      }
    };
  }

  @Override
  public Socket createSocket(String host, int port) {
    throw connected();
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress local, int localPort) {
    throw connected();
  }

  @Override
  public Socket createSocket(InetAddress host, int port) {
    throw connected();
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort) {
    throw connected();
  }

  private static UnsupportedOperationException connected() {
    return new UnsupportedOperationException("the driver connects sockets by itself");
  }
}
