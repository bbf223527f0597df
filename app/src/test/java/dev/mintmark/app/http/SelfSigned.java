package dev.mintmark.app.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Base64;

/** Certificates that sign themselves, made with the JDK's keytool. */
final class SelfSigned {
  private static final char[] PASSWORD = "password".toCharArray();

  private SelfSigned() {}

  /** Writes a certificate with this name, and its key, over those that are in the directory. */
  static TlsFiles write(Path directory, String name)
      throws IOException, InterruptedException, GeneralSecurityException {
    Path store = directory.resolve(name + ".p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-alias",
                "test",
                "-dname",
                "CN=" + name,
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                new String(PASSWORD))
            .redirectErrorStream(true)
            .start();
    String printed = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(keytool.waitFor()).as(printed).isZero();
    KeyStore made = KeyStore.getInstance(store.toFile(), PASSWORD);
    Key key = made.getKey("test", PASSWORD);
    Certificate certificate = made.getCertificate("test");
    TlsFiles files = new TlsFiles(directory.resolve("cert.pem"), directory.resolve("key.pem"));
    Files.writeString(files.key(), pem("PRIVATE KEY", key.getEncoded()));
    Files.writeString(files.certificate(), pem("CERTIFICATE", certificate.getEncoded()));
    return files;
  }

  private static String pem(String type, byte[] bytes) {
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
        .formatted(type, Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes), type);
  }
}
