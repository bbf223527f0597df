package dev.mintmark.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.mintmark.fixtures.SelfSigned;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.ThreadLocalRandom;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server whose certificate the JVM does not know. */
class TlsTest {
  private static Path certificate;
  private static HttpsServer server;

  @BeforeAll
  static void start(@TempDir Path directory) throws Exception {
    SelfSigned written = SelfSigned.write(directory, "localhost", "-ext", "SAN=IP:127.0.0.1");
    certificate = written.certificate();
    KeyManagerFactory managers =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(written.keys(), SelfSigned.PASSWORD.toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(context));
    server.createContext(
        "/",
        exchange -> {
          try (exchange) {
            exchange.getRequestBody().readAllBytes();
            ScriptedServer.json(201, ScriptedServer.CLAIM).to(exchange);
          }
        });
    server.start();
  }

  @AfterAll
  static void stop() {
    server.stop(0);
  }

  private static MintmarkClient.Builder builder() {
    return MintmarkClient.builder(uri());
  }

  private static URI uri() {
    return URI.create("https://127.0.0.1:" + server.getAddress().getPort());
  }

  private static Pool pool(MintmarkClient.Builder builder, Ticker ticker) {
    return builder
        .build(
            new Backoff(Duration.ofMillis(1), Duration.ofMillis(1), ThreadLocalRandom::current),
            ticker,
            InstantSource.system())
        .pool("codes");
  }

  @Test
  void aCertificateOfTheFileIsTrusted() throws Exception {
    Pool pool = builder().trustedCertificates(certificate).build().pool("codes");

    assertThat(pool.claim("vm-1").claims()).hasSize(1);
  }

  @Test
  void anUnknownCertificateFailsWithoutAnotherAttempt() {
    ManualTicker ticker = new ManualTicker(true);
    Pool pool = pool(builder(), ticker);

    assertThatExceptionOfType(UnavailableException.class)
        .isThrownBy(() -> pool.claim("vm-1"))
        .withCauseInstanceOf(SSLHandshakeException.class);
    assertThat(ticker.pauses()).isEmpty();
  }

  @Test
  void aServerWithAnUnknownCertificateIsPassedOver() {
    ManualTicker ticker = new ManualTicker(true);
    try (ScriptedServer good = new ScriptedServer(ScriptedServer.json(201, ScriptedServer.CLAIM))) {
      Pool pool = pool(MintmarkClient.builder(uri(), good.uri()), ticker);

      assertThat(pool.claim("vm-1").claims()).hasSize(1);
      assertThat(good.asked()).hasSize(1);
    }
    assertThat(ticker.pauses()).isEmpty();
  }
}
