package dev.mintmark.app.http;

import java.io.IOException;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.util.Set;
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
  /** The types of keys that Spring can compare with a certificate. */
  private static final Set<String> COMPARABLE = Set.of("RSA", "DSA", "EC", "EdDSA");

  /**
   * Reads both files.
   *
   * @throws IllegalArgumentException if one of them cannot be read or is not what it should be, or
   *     the key is {@linkplain #areComparable known} to be that of another certificate
   */
  public void check() {
    check(certificate, PemContent::getCertificates);
    check(key, PemContent::getPrivateKey);
    PemSslBundleProperties both = new PemSslBundleProperties();
    both.getKeystore().setCertificate(url(certificate));
    both.getKeystore().setPrivateKey(url(key));
    both.getKeystore().setVerifyKeys(areComparable());
    try {
      var unused = PropertiesSslBundle.get(both);
    } catch (IllegalStateException e) {
      throw new IllegalArgumentException(
          "TLS: the key in %s is not that of the certificate in %s (%s)"
              .formatted(key, certificate, e.getMessage()),
          e);
    }
  }

  /** Whether it can be told if the key is that of the certificate: not for RSASSA-PSS. */
  boolean areComparable() {
    try {
      PrivateKey read = PemContent.load(key).getPrivateKey();
      return read == null || COMPARABLE.contains(read.getAlgorithm());
    } catch (IOException | IllegalStateException e) {
      return true; // Whoever reads it next reports that.
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
