package dev.mintmark.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
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
  private static final char[] PASSWORD = "changeit".toCharArray();

  private static Path certificate;
  private static HttpsServer server;

  @BeforeAll
  static void start(@TempDir Path directory) throws Exception {
    Path store = directory.resolve("server.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "server",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-ext",
                "SAN=IP:127.0.0.1",
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                new String(PASSWORD))
            .inheritIO()
            .start();
    assertThat(keytool.waitFor()).isZero();
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD);
    }
    String pem =
        Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
            .encodeToString(keys.getCertificate("server").getEncoded());
    certificate =
        Files.writeString(
            directory.resolve("server.pem"),
            "-----BEGIN CERTIFICATE-----\n" + pem + "\n-----END CERTIFICATE-----\n");
    KeyManagerFactory managers =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(keys, PASSWORD);
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
    return MintmarkClient.builder(URI.create("https://127.0.0.1:" + server.getAddress().getPort()));
  }

  @Test
  void aCertificateOfTheFileIsTrusted() throws Exception {
    Pool pool = builder().trustedCertificates(certificate).build().pool("codes");

    assertThat(pool.claim("vm-1").claims()).hasSize(1);
  }

  @Test
  void anUnknownCertificateFailsWithoutAnotherAttempt() {
    ManualTicker ticker = new ManualTicker(true);
    Pool pool =
        builder()
            .build(
                new Backoff(Duration.ofMillis(1), Duration.ofMillis(1), ThreadLocalRandom::current),
                ticker,
                InstantSource.system())
            .pool("codes");

    assertThatExceptionOfType(UnavailableException.class)
        .isThrownBy(() -> pool.claim("vm-1"))
        .withCauseInstanceOf(SSLHandshakeException.class);
    assertThat(ticker.pauses()).isEmpty();
  }
}
