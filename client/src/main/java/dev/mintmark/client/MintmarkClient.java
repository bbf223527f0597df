package dev.mintmark.client;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * A client of {@code mintmark serve}. Immutable and safe for use by many threads: a program needs
 * one. It keeps connections open and needs no closing.
 *
 * <pre>{@code
 * MintmarkClient mintmark = MintmarkClient.of(URI.create("http://127.0.0.1:7300"));
 * Claim claim = mintmark.pool("addresses").claim("vm-43943").orElseThrow();
 * }</pre>
 *
 * <p><b>Repeated requests.</b> A request is sent again after a failed connection, a timeout, and
 * the statuses 429, 502, 503 and 504: at the next server at once, and after all servers have failed
 * after a pause, exponential with full jitter or what {@code Retry-After} says if that is longer.
 * After the deadline, or if the pause would not end before it, the last failure is the result. A
 * server whose certificate is not trusted, or for which another program answers, such as an
 * ingress, is passed over; if all servers are such, the request fails at once.
 *
 * <p><b>Keys.</b> The key is sent to the given servers alone: redirects are not followed. It is in
 * no message and no {@code toString}.
 */
public final class MintmarkClient {
  private final Transport transport;
  private final Servers servers;

  private MintmarkClient(Transport transport, Servers servers) {
    this.transport = transport;
    this.servers = servers;
  }

  /**
   * A client without a key.
   *
   * @param servers at least one address, such as {@code https://mintmark.example.com}; several ones
   *     if they serve the same database: they are tried in turn when one does not answer
   * @throws IllegalArgumentException if an address is malformed
   */
  public static MintmarkClient of(URI... servers) {
    return builder(servers).build();
  }

  /** A client with options; see {@link #of} for the servers. */
  public static Builder builder(URI... servers) {
    return new Builder(new Servers(List.of(servers)));
  }

  /**
   * Opens a pool. Sends nothing: whether it exists is known after the first request.
   *
   * @throws IllegalArgumentException if no pool has such a name
   */
  public Pool pool(String name) {
    return new Pool(transport, name);
  }

  @Override
  public String toString() {
    return "MintmarkClient[" + servers + "]";
  }

  /** The options of a client. Not safe for use by many threads. */
  public static final class Builder {
    private static final Duration BACKOFF_FIRST = Duration.ofMillis(100);
    private static final Duration BACKOFF_MAX = Duration.ofSeconds(5);
    private static final Duration TIMEOUT_MAX = Duration.ofHours(1);

    private final Servers servers;
    private Optional<Supplier<String>> apiKey = Optional.empty();
    private @Nullable Duration connectTimeout;
    private Duration answerTimeout = Duration.ofSeconds(5);
    private Duration deadline = Duration.ofSeconds(20);
    private @Nullable SSLContext sslContext;
    private @Nullable HttpClient httpClient;

    private Builder(Servers servers) {
      this.servers = servers;
    }

    /** The key of every request: {@code mmk_...}. */
    public Builder apiKey(String key) {
      return apiKey(() -> key);
    }

    /**
     * The key of the next attempt. Asked before each attempt, by many threads, so that a key can be
     * replaced while the program runs.
     */
    public Builder apiKey(Supplier<String> key) {
      apiKey = Optional.of(key);
      return this;
    }

    /** How long an attempt waits for a connection: 1 ms to 1 hour, by default 2 seconds. */
    public Builder connectTimeout(Duration timeout) {
      connectTimeout = checked("connect timeout", timeout);
      return this;
    }

    /**
     * How long an attempt takes at most, with the connection and the whole answer: 1 ms to 1 hour,
     * by default 5 seconds.
     */
    public Builder answerTimeout(Duration timeout) {
      answerTimeout = checked("answer timeout", timeout);
      return this;
    }

    /**
     * How long a request takes at most, with all attempts and the pauses between them: 1 ms to 1
     * hour, by default 20 seconds.
     */
    public Builder deadline(Duration total) {
      deadline = checked("deadline", total);
      return this;
    }

    /** The keys and certificates of TLS, by default those of the JVM. */
    public Builder sslContext(SSLContext context) {
      sslContext = context;
      return this;
    }

    /**
     * Trusts servers whose certificates are in a file, or are signed by one of them, and no others.
     *
     * @param pem certificates in PEM, such as the file of {@code serve --tls-certificate}
     * @throws IOException if the file cannot be read
     * @throws GeneralSecurityException if it has no certificate
     */
    public Builder trustedCertificates(Path pem) throws IOException, GeneralSecurityException {
      KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
      trusted.load(null, null);
      try (InputStream in = Files.newInputStream(pem)) {
        int number = 0;
        for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
          trusted.setCertificateEntry("certificate-" + number++, each);
        }
      }
      if (trusted.size() == 0) {
        throw new GeneralSecurityException(pem + " has no certificate: expected PEM");
      }
      TrustManagerFactory factory =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      factory.init(trusted);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, factory.getTrustManagers(), null);
      return sslContext(context);
    }

    /**
     * Sends requests with a client of the JDK that the program has, with its executor, its proxy
     * and its TLS. The timeout of connections and the TLS of this builder cannot be given then.
     *
     * @throws IllegalArgumentException if it follows redirects: it would send the key elsewhere
     */
    public Builder httpClient(HttpClient client) {
      if (client.followRedirects() != HttpClient.Redirect.NEVER) {
        throw new IllegalArgumentException(
            "the HttpClient follows redirects: expected Redirect.NEVER, because a redirect would get"
                + " the API key");
      }
      httpClient = client;
      return this;
    }

    /**
     * Builds the client.
     *
     * @throws IllegalStateException if an {@link #httpClient} was given and an option that it has
     *     itself
     */
    public MintmarkClient build() {
      return build(
          new Backoff(BACKOFF_FIRST, BACKOFF_MAX, ThreadLocalRandom::current),
          Ticker.SYSTEM,
          InstantSource.system());
    }

    MintmarkClient build(Backoff backoff, Ticker ticker, InstantSource clock) {
      return new MintmarkClient(
          new Transport(http(), servers, apiKey, answerTimeout, deadline, backoff, ticker, clock),
          servers);
    }

    private HttpClient http() {
      if (httpClient != null) {
        if (connectTimeout != null || sslContext != null) {
          throw new IllegalStateException(
              "a client with an HttpClient of the program has its connect timeout and its TLS");
        }
        return httpClient;
      }
      HttpClient.Builder builder =
          HttpClient.newBuilder()
              .followRedirects(HttpClient.Redirect.NEVER)
              .connectTimeout(connectTimeout == null ? Duration.ofSeconds(2) : connectTimeout);
      if (sslContext != null) {
        builder.sslContext(sslContext);
      }
      return builder.build();
    }

    private static Duration checked(String what, Duration length) {
      if (length.compareTo(Duration.ofMillis(1)) < 0 || length.compareTo(TIMEOUT_MAX) > 0) {
        throw new IllegalArgumentException(
            "%s is %s: expected 1 ms to 1 hour".formatted(what, length));
      }
      return length;
    }
  }
}
