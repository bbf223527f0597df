package dev.mintmark.app.http;

import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.ssl.PemSslBundleProperties;
import org.springframework.boot.autoconfigure.ssl.PropertiesSslBundle;
import org.springframework.boot.ssl.pem.PemContent;

/**
 * The files of TLS, which are read again when they change.
 *
 * @param certificate the certificate and those that signed it, in PEM
 * @param key the private key of the certificate, in PEM (PKCS #8 or PKCS #1)
 */
public record TlsFiles(Path certificate, Path key) {
  /**
   * Reads both files.
   *
   * @throws IllegalArgumentException if one of them cannot be read or is not what it should be, or
   *     the key is that of another certificate
   */
  public void check() {
    check(certificate, PemContent::getCertificates);
    check(key, PemContent::getPrivateKey);
    PemSslBundleProperties both = new PemSslBundleProperties();
    both.getKeystore().setCertificate(url(certificate));
    both.getKeystore().setPrivateKey(url(key));
    both.getKeystore().setVerifyKeys(true);
    try {
      var unused = PropertiesSslBundle.get(both);
    } catch (IllegalStateException e) {
      throw new IllegalArgumentException(
          "TLS: the key in %s is not that of the certificate in %s".formatted(key, certificate), e);
    }
  }

  private static void check(Path file, Function<PemContent, @Nullable Object> content) {
    try {
      var unused = content.apply(PemContent.load(file));
    } catch (IOException e) {
      throw new IllegalArgumentException("TLS: " + file + " cannot be read", e);
    } catch (IllegalStateException | IllegalArgumentException e) {
      throw new IllegalArgumentException("TLS: " + file + ": " + e.getMessage(), e);
    }
  }

  /** The name of a file for Spring. */
  static String url(Path file) {
    return file.toAbsolutePath().toUri().toString();
  }
}
