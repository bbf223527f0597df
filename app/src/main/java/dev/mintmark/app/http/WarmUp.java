package dev.mintmark.app.http;

import dev.mintmark.DurationText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import javax.net.SocketFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.pem.PemSslStoreBundle;
import org.springframework.boot.ssl.pem.PemSslStoreDetails;

/**
 * The requests that a server sends to itself after its start, so that Java has compiled what every
 * request passes before {@code /readyz} says ok. Without them the first seconds of load are several
 * times slower than the later ones.
 *
 * <p>However short the time is, each thread sends one. They are claims in form, and {@link
 * WarmUpFilter} rejects them: they reach no pool and no database, and are not logged. Their path is
 * random, so that nobody else can send one. Safe for use by many threads.
 */
final class WarmUp {
  private static final Logger LOG = LoggerFactory.getLogger(WarmUp.class);

  /** The processors are also needed to compile. */
  private static final int THREADS = 2;

  private static final int RANDOM_BYTES = 16;
  private static final int TIMEOUT_MILLIS = 5_000;

  private static final String CLAIM = "{\"client\": \"warm-up\"}";

  private final String path;
  private final byte[] request;
  private final Duration time;
  private final Readiness readiness;
  private final AtomicInteger running = new AtomicInteger();
  private final LongAdder requests = new LongAdder();
  private volatile boolean stopped;

  /**
   * @param time how long; zero: no request is sent
   * @param readiness the server is not ready before the end
   */
  WarmUp(Duration time, Readiness readiness) {
    byte[] random = new byte[RANDOM_BYTES];
    new SecureRandom().nextBytes(random);
    this.path = "/warm-up/" + HexFormat.of().formatHex(random);
    this.request = KeptConnection.post("localhost", path, CLAIM);
    this.time = time;
    this.readiness = readiness;
    if (!time.isZero()) {
      readiness.warming();
    }
  }

  /** Whether a request is one of these, by its path. */
  boolean isOwn(@Nullable String requestPath) {
    return path.equals(requestPath);
  }

  /** Begins to send requests, and returns at once. */
  void start(Listening listening, int port) {
    if (time.isZero()) {
      return;
    }
    running.set(THREADS);
    long until = System.nanoTime() + time.toNanos();
    for (int i = 0; i < THREADS; i++) {
      Thread thread = new Thread(() -> run(listening, port, until), "mintmark-warm-up-" + i);
      thread.setDaemon(true);
      thread.start();
    }
  }

  /** Ends it early. */
  void stop() {
    stopped = true;
  }

  private void run(Listening listening, int port, long until) {
    try {
      SocketFactory sockets =
          listening.tls().isPresent()
              ? trusting(listening.tls().get())
              : SocketFactory.getDefault();
      InetAddress address =
          listening.address().isAnyLocalAddress()
              ? InetAddress.getLoopbackAddress()
              : listening.address();
      try (KeptConnection connection = KeptConnection.through(() -> open(sockets, address, port))) {
        do {
          var unused = connection.send(request);
          requests.increment();
        } while (!isOver(until));
      }
    } catch (IOException | UncheckedIOException | IllegalStateException e) {
      if (!stopped) {
        LOG.warn(
            "the warm-up of {} ended early, so the first requests are slow: {}",
            DurationText.format(time),
            e.toString());
      }
    } finally {
      if (running.decrementAndGet() == 0) {
        readiness.warmed();
        LOG.info("warmed up (requests={}, time={})", requests.sum(), DurationText.format(time));
      }
    }
  }

  private boolean isOver(long until) {
    return stopped || System.nanoTime() - until >= 0;
  }

  private static Socket open(SocketFactory sockets, InetAddress address, int port)
      throws IOException {
    Socket socket = sockets.createSocket(address, port);
    socket.setSoTimeout(TIMEOUT_MILLIS);
    return socket;
  }

  /** Trusts the certificate of the server alone, whichever host it names. */
  private static SocketFactory trusting(TlsFiles files) {
    PemSslStoreDetails certificate =
        PemSslStoreDetails.forCertificate(files.certificate().toUri().toString());
    return SslBundle.of(new PemSslStoreBundle(null, certificate))
        .createSslContext()
        .getSocketFactory();
  }
}
