package dev.mintmark.app.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.mintmark.app.access.KeyText;
import dev.mintmark.app.view.Json;
import dev.mintmark.embedded.StartupException;
import dev.mintmark.fixtures.Patience;
import dev.mintmark.fixtures.SelfSigned;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** HTTPS with files in PEM, which are read again when they change. */
@Tag("long")
class TlsTest {
  @TempDir Path directory;

  @Test
  void theCertificateIsReadAgainWhenItChanges() throws Exception {
    SelfSigned written = SelfSigned.write(directory, "first.example");
    TlsFiles files = new TlsFiles(written.certificate(), written.key());
    Listening listening =
        new Listening(InetAddress.getLoopbackAddress(), 0, Optional.of(files), Optional.empty());
    try (AccessServer plain = AccessServer.start()) {
      KeyText key = plain.key("pools:read");
      try (AccessServer server = plain.another(listening)) {
        assertThat(subject(server.port())).isEqualTo("CN=first.example");
        assertThat(https(server.port(), get("/v1/pools", "Authorization: Bearer " + key.text())))
            .startsWith("HTTP/1.1 200");
        assertThat(https(server.port(), get("/v1/pools", "X-Any: 1"))).startsWith("HTTP/1.1 401");
        String body = "{\"key\": \"" + key.text() + "\"}";
        assertThat(
                https(
                    server.port(),
                    "POST /v1/session HTTP/1.1\r\nHost: mintmark.example\r\nConnection: close\r\n"
                        + "Content-Type: application/json\r\nContent-Length: "
                        + body.length()
                        + "\r\n\r\n"
                        + body))
            .startsWith("HTTP/1.1 200")
            .contains("Set-Cookie: __Host-mintmark-session=", "; Secure");

        SelfSigned.write(directory, "second.example");
        awaitSubject(server.port(), "CN=second.example");
      }
    }
  }

  @Test
  void aKeyOfAnotherCertificateIsRefusedAtTheStart() throws Exception {
    SelfSigned one = SelfSigned.write(Files.createDirectory(directory.resolve("one")), "one");
    SelfSigned other = SelfSigned.write(Files.createDirectory(directory.resolve("other")), "other");
    TlsFiles files = new TlsFiles(one.certificate(), other.key());
    assertThatIllegalArgumentException()
        .isThrownBy(files::check)
        .withMessageStartingWith(
            "TLS: the key in %s is not that of the certificate in %s"
                .formatted(other.key(), one.certificate()));
    Listening listening =
        new Listening(InetAddress.getLoopbackAddress(), 0, Optional.of(files), Optional.empty());
    try (AccessServer plain = AccessServer.start()) {
      assertThatExceptionOfType(StartupException.class)
          .isThrownBy(() -> plain.another(listening).close())
          .withMessageMatching("TLS: .*key.*matches none of the certificates.*");
    }
  }

  @Test
  void theEarlierPairStaysInUseWhileTheFilesDoNotMatch() throws Exception {
    SelfSigned used = SelfSigned.write(directory, "first.example");
    SelfSigned next = SelfSigned.write(Files.createDirectory(directory.resolve("next")), "next");
    TlsFiles files = new TlsFiles(used.certificate(), used.key());
    Listening listening =
        new Listening(InetAddress.getLoopbackAddress(), 0, Optional.of(files), Optional.empty());
    try (AccessServer plain = AccessServer.start();
        AccessServer server = plain.another(listening)) {
      Files.copy(next.certificate(), used.certificate(), StandardCopyOption.REPLACE_EXISTING);
      // Changes are noticed after a second.
      Thread.sleep(3_000);
      assertThat(subject(server.port())).isEqualTo("CN=first.example");

      Files.copy(next.key(), used.key(), StandardCopyOption.REPLACE_EXISTING);
      awaitSubject(server.port(), "CN=next");
    }
  }

  @Test
  void filesWithSomethingElseAreRefusedByName() throws Exception {
    SelfSigned written = SelfSigned.write(directory, "mintmark.example");
    Path empty = Files.createFile(directory.resolve("empty.pem"));
    Path missing = directory.resolve("missing.pem");

    new TlsFiles(written.certificate(), written.key()).check();
    assertRefused(new TlsFiles(written.key(), written.key()), written.key());
    assertRefused(
        new TlsFiles(written.certificate(), written.certificate()), written.certificate());
    assertRefused(new TlsFiles(written.certificate(), empty), empty);
    assertRefused(new TlsFiles(missing, written.key()), missing);
  }

  private static void assertRefused(TlsFiles files, Path named) {
    assertThatIllegalArgumentException()
        .isThrownBy(files::check)
        .withMessageStartingWith("TLS: " + named);
  }

  /** An event of a pool with many blocks does not fit into one record of TLS. */
  @Test
  void aPoolIsWatchedThroughTls() throws Exception {
    SelfSigned written = SelfSigned.write(directory, "watch.example");
    TlsFiles files = new TlsFiles(written.certificate(), written.key());
    Listening listening =
        new Listening(InetAddress.getLoopbackAddress(), 0, Optional.of(files), Optional.empty());
    try (AccessServer plain = AccessServer.start()) {
      KeyText key = plain.key("admin");
      String blocks =
          IntStream.range(0, 200)
              .mapToObj(i -> "\"" + i * 10 + ".." + (i * 10 + 9) + "\"")
              .collect(Collectors.joining(","));
      plain
          .post(key, "/v1/pools", "{\"name\": \"wide\", \"blocks\": [" + blocks + "]}")
          .assertStatus(201);
      try (AccessServer server = plain.another(listening);
          SSLSocket socket = connect(server.port())) {
        // In HTTP/1.0, whose responses are not in chunks.
        String request =
            get("/v1/pools/wide/watch", "Authorization: Bearer " + key.text())
                .replace("HTTP/1.1", "HTTP/1.0");
        socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
        BufferedReader lines =
            new BufferedReader(
                new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));

        assertThat(nextEvent(lines).get("held").asInt()).isZero();
        plain.post(key, "/v1/pools/wide/claims", "{\"client\": \"a\"}").assertStatus(201);
        // A block may be drawn before, which is an event of its own.
        while (nextEvent(lines).get("held").asInt() != 1) {}
        // Otherwise the JDK waits, when it closes the socket, for what the server sends next.
        socket.setSoTimeout(1);
      }
    }
  }

  private static JsonNode nextEvent(BufferedReader lines) throws IOException {
    String line = lines.readLine();
    while (line != null && !line.startsWith("data: ")) {
      line = lines.readLine();
    }
    return Json.MAPPER.readTree(Objects.requireNonNull(line).substring("data: ".length()));
  }

  private static String get(String path, String header) {
    return "GET "
        + path
        + " HTTP/1.1\r\nHost: mintmark.example\r\n"
        + header
        + "\r\nConnection: close\r\n\r\n";
  }

  private static void awaitSubject(int port, String subject) throws Exception {
    long deadline = System.nanoTime() + Patience.MAX.toNanos();
    while (!subject(port).equals(subject) && System.nanoTime() < deadline) {
      Thread.sleep(200);
    }
    assertThat(subject(port)).isEqualTo(subject);
  }

  private static String subject(int port) throws Exception {
    try (SSLSocket socket = connect(port)) {
      X509Certificate certificate =
          (X509Certificate) List.of(socket.getSession().getPeerCertificates()).get(0);
      return certificate.getSubjectX500Principal().getName();
    }
  }

  private static String https(int port, String request) throws Exception {
    try (SSLSocket socket = connect(port)) {
      OutputStream out = socket.getOutputStream();
      out.write(request.getBytes(StandardCharsets.ISO_8859_1));
      out.flush();
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static SSLSocket connect(int port) throws IOException, GeneralSecurityException {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {new TrustAll()}, null);
    SSLSocket socket =
        (SSLSocket) context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(Math.toIntExact(Patience.MAX.toMillis()));
    socket.startHandshake();
    return socket;
  }

  /** The certificates of this test are signed by nobody. */
  private static final class TrustAll implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}
