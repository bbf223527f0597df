package dev.mintmark.app.http;

import java.nio.file.Path;

/**
 * The files of TLS, which are read again when they change.
 *
 * @param certificate the certificate and those that signed it, in PEM
 * @param key the private key of the certificate, in PEM (PKCS #8 or PKCS #1)
 */
public record TlsFiles(Path certificate, Path key) {}
